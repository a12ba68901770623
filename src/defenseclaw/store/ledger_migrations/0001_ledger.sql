-- What is remembered about calls: ids, digests, masks, enum words and integers, never content.
-- A digest is 64 lower-case hexadecimal characters. Times are Unix nanoseconds. Masks have the bits
-- of core/ledger.py: first steps 0x555, all steps 0xFFF, chains 0x3F.
CREATE TABLE pending (
    instance      TEXT    NOT NULL CHECK (length(instance) BETWEEN 1 AND 64),
    session       TEXT    NOT NULL CHECK (length(session) = 64 AND session NOT GLOB '*[^0-9a-f]*'),
    call          TEXT    NOT NULL CHECK (length(call) = 64 AND call NOT GLOB '*[^0-9a-f]*'),
    event_id      TEXT    NOT NULL CHECK (length(event_id) BETWEEN 1 AND 64),
    received_ns   INTEGER NOT NULL,
    fingerprint   TEXT    NOT NULL CHECK (length(fingerprint) = 64 AND fingerprint NOT GLOB '*[^0-9a-f]*'),
    detection     INTEGER NOT NULL CHECK (detection >= 0 AND detection & ~0x555 = 0),
    enforcement   INTEGER NOT NULL CHECK (enforcement >= 0 AND enforcement & ~detection = 0),
    parse         TEXT    NOT NULL CHECK (length(parse) <= 32),
    projection_fp TEXT    NOT NULL CHECK (length(projection_fp) = 64 AND projection_fp NOT GLOB '*[^0-9a-f]*'),
    pack_fp       TEXT    NOT NULL CHECK (length(pack_fp) = 64 AND pack_fp NOT GLOB '*[^0-9a-f]*'),
    chain_fp      TEXT    NOT NULL CHECK (length(chain_fp) = 64 AND chain_fp NOT GLOB '*[^0-9a-f]*'),
    contract_fp   TEXT    NOT NULL CHECK (length(contract_fp) = 64 AND contract_fp NOT GLOB '*[^0-9a-f]*'),
    state         TEXT    NOT NULL CHECK (state IN ('pending', 'consumed', 'discarded', 'conflicted')),
    prepared_ns   INTEGER NOT NULL,
    expires_ns    INTEGER NOT NULL CHECK (expires_ns > prepared_ns),
    PRIMARY KEY (instance, session, call)
) STRICT, WITHOUT ROWID;
CREATE INDEX pending_expiry ON pending (expires_ns);
CREATE TABLE partition (
    instance      TEXT    NOT NULL CHECK (length(instance) BETWEEN 1 AND 64),
    session       TEXT    NOT NULL CHECK (length(session) = 64 AND session NOT GLOB '*[^0-9a-f]*'),
    next_sequence INTEGER NOT NULL CHECK (next_sequence >= 1),
    updated_ns    INTEGER NOT NULL,
    PRIMARY KEY (instance, session)
) STRICT, WITHOUT ROWID;
CREATE INDEX partition_idle ON partition (updated_ns);
CREATE TABLE committed (
    event_id      TEXT    NOT NULL PRIMARY KEY CHECK (length(event_id) BETWEEN 1 AND 64),
    instance      TEXT    NOT NULL CHECK (length(instance) BETWEEN 1 AND 64),
    session       TEXT    NOT NULL CHECK (length(session) = 64 AND session NOT GLOB '*[^0-9a-f]*'),
    sequence      INTEGER NOT NULL CHECK (sequence >= 1),
    received_ns   INTEGER NOT NULL,
    fingerprint   TEXT    NOT NULL CHECK (length(fingerprint) = 64 AND fingerprint NOT GLOB '*[^0-9a-f]*'),
    chain_fp      TEXT    NOT NULL CHECK (length(chain_fp) = 64 AND chain_fp NOT GLOB '*[^0-9a-f]*'),
    parse         TEXT    NOT NULL CHECK (length(parse) <= 32),
    detection     INTEGER NOT NULL CHECK (detection > 0 AND detection & ~0x555 = 0),
    enforcement   INTEGER NOT NULL CHECK (enforcement >= 0 AND enforcement & ~detection = 0),
    projection_fp TEXT    NOT NULL CHECK (length(projection_fp) = 64 AND projection_fp NOT GLOB '*[^0-9a-f]*')
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX committed_order ON committed (instance, session, sequence);
CREATE TABLE delivery (
    instance      TEXT    NOT NULL CHECK (length(instance) BETWEEN 1 AND 64),
    delivery      TEXT    NOT NULL CHECK (length(delivery) = 64 AND delivery NOT GLOB '*[^0-9a-f]*'),
    fingerprint   TEXT    NOT NULL CHECK (length(fingerprint) = 64 AND fingerprint NOT GLOB '*[^0-9a-f]*'),
    event_id      TEXT    NOT NULL CHECK (length(event_id) BETWEEN 1 AND 64),
    pack_fp       TEXT    NOT NULL CHECK (length(pack_fp) = 64 AND pack_fp NOT GLOB '*[^0-9a-f]*'),
    contract_fp   TEXT    NOT NULL CHECK (length(contract_fp) = 64 AND contract_fp NOT GLOB '*[^0-9a-f]*'),
    detected      INTEGER NOT NULL CHECK (detected BETWEEN 0 AND 0x3F),
    enforceable   INTEGER NOT NULL CHECK (enforceable >= 0 AND enforceable & ~detected = 0),
    denied        INTEGER NOT NULL CHECK (denied >= 0 AND denied & ~enforceable = 0),
    stable_id     TEXT    NOT NULL CHECK ((stable_id = '') = (denied = 0)),
    standalone    TEXT    NOT NULL CHECK (standalone IN ('allow', 'alert', 'confirm', 'block')),
    chains        TEXT    NOT NULL CHECK (chains IN ('allow', 'alert', 'confirm', 'block')),
    severity      TEXT    NOT NULL CHECK (severity IN ('NONE', 'INFO', 'LOW', 'MEDIUM', 'HIGH', 'CRITICAL')),
    rule_ids      TEXT    NOT NULL CHECK (length(rule_ids) <= 1031),  -- eight ids and the spaces between them
    count         INTEGER NOT NULL CHECK (count >= 1),
    first_ns      INTEGER NOT NULL,
    last_ns       INTEGER NOT NULL,
    accepted_ns   INTEGER NOT NULL,
    expires_ns    INTEGER NOT NULL,
    PRIMARY KEY (instance, delivery)
) STRICT, WITHOUT ROWID;
CREATE INDEX delivery_expiry ON delivery (expires_ns);
CREATE INDEX delivery_plain ON delivery (expires_ns) WHERE denied = 0;
CREATE INDEX delivery_denied ON delivery (expires_ns) WHERE denied <> 0;
CREATE TABLE deny_receipt (
    receipt_id           TEXT    NOT NULL PRIMARY KEY CHECK (length(receipt_id) = 68 AND receipt_id GLOB 'gcr_*'),
    final_event_id       TEXT    NOT NULL CHECK (length(final_event_id) BETWEEN 1 AND 64),
    predecessor_event_id TEXT    NOT NULL CHECK (length(predecessor_event_id) <= 64),
    instance             TEXT    NOT NULL CHECK (length(instance) BETWEEN 1 AND 64),
    session              TEXT    NOT NULL CHECK (length(session) = 64 AND session NOT GLOB '*[^0-9a-f]*'),
    fingerprint          TEXT    NOT NULL CHECK (length(fingerprint) = 64 AND fingerprint NOT GLOB '*[^0-9a-f]*'),
    chain_fp             TEXT    NOT NULL CHECK (length(chain_fp) = 64 AND chain_fp NOT GLOB '*[^0-9a-f]*'),
    chain                TEXT    NOT NULL CHECK (length(chain) <= 64 AND chain GLOB 'chain.*'),
    chain_version        TEXT    NOT NULL CHECK (length(chain_version) <= 16),
    denied               INTEGER NOT NULL CHECK (denied BETWEEN 1 AND 0x3F),
    stable_id            TEXT    NOT NULL CHECK (length(stable_id) = 68 AND stable_id GLOB 'gca_*'),
    count                INTEGER NOT NULL CHECK (count >= 1),
    first_ns             INTEGER NOT NULL,
    last_ns              INTEGER NOT NULL,
    expires_ns           INTEGER NOT NULL,
    audit_id             TEXT    NOT NULL CHECK (length(audit_id) <= 512),
    UNIQUE (final_event_id, fingerprint, chain)
) STRICT, WITHOUT ROWID;
CREATE INDEX deny_receipt_expiry ON deny_receipt (expires_ns);
CREATE TABLE cutoff (
    kind          TEXT    NOT NULL CHECK (kind IN ('turn', 'session')),
    instance      TEXT    NOT NULL CHECK (length(instance) BETWEEN 1 AND 64),
    session       TEXT    NOT NULL CHECK (length(session) = 64 AND session NOT GLOB '*[^0-9a-f]*'),
    event_id      TEXT    NOT NULL CHECK (length(event_id) BETWEEN 1 AND 64),
    fingerprint   TEXT    NOT NULL CHECK (length(fingerprint) = 64 AND fingerprint NOT GLOB '*[^0-9a-f]*'),
    cutoff_ns     INTEGER NOT NULL,
    applied_ns    INTEGER NOT NULL,
    expires_ns    INTEGER NOT NULL,
    PRIMARY KEY (kind, instance, session)
) STRICT, WITHOUT ROWID;
CREATE INDEX cutoff_expiry ON cutoff (expires_ns);
CREATE INDEX cutoff_age ON cutoff (kind, cutoff_ns, applied_ns, instance, session);
CREATE TABLE barrier (
    kind          TEXT    NOT NULL PRIMARY KEY CHECK (kind IN ('turn', 'session')),
    cutoff_ns     INTEGER NOT NULL,
    applied_ns    INTEGER NOT NULL,
    expires_ns    INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE mark (
    name          TEXT    NOT NULL PRIMARY KEY CHECK (name IN ('last_received_ns')),
    number        INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
