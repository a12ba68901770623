-- One row per judged event. Facts are words of closed vocabularies; the only free text is the
-- redacted preview and the reason, which names rules and never quotes the call.
CREATE TABLE audit (
    id           INTEGER PRIMARY KEY,
    record       TEXT    NOT NULL UNIQUE,
    at_ms        INTEGER NOT NULL,
    connector    TEXT    NOT NULL,
    event        TEXT    NOT NULL,
    route        TEXT    NOT NULL,
    session      TEXT    NOT NULL,
    call_id      TEXT    NOT NULL,
    tool         TEXT    NOT NULL,
    mode         TEXT    NOT NULL,
    profile      TEXT    NOT NULL,
    raw          TEXT    NOT NULL,
    action       TEXT    NOT NULL,
    severity     TEXT    NOT NULL,
    would_block  INTEGER NOT NULL,
    degraded     INTEGER NOT NULL,
    parse        TEXT    NOT NULL,
    rules        TEXT    NOT NULL,  -- JSON list of rule ids
    body         TEXT    NOT NULL,  -- JSON: findings, facts, answer
    reason       TEXT    NOT NULL,
    preview      TEXT    NOT NULL,
    digest       TEXT    NOT NULL,  -- keyed digest of the call, to find equal calls
    micros       INTEGER NOT NULL
) STRICT;
CREATE INDEX audit_connector ON audit (connector, id);
-- Alerts are what somebody may have to look at; a partial index keeps them cheap to list.
CREATE INDEX audit_alerts ON audit (id) WHERE raw <> 'allow' OR degraded = 1;

-- What an operator or the product itself did: posture changes, registrations, starts and stops.
CREATE TABLE activity (
    id      INTEGER PRIMARY KEY,
    at_ms   INTEGER NOT NULL,
    actor   TEXT    NOT NULL,
    action  TEXT    NOT NULL,
    target  TEXT    NOT NULL,
    detail  TEXT    NOT NULL  -- JSON: before and after, secrets reduced to presence
) STRICT;
