-- Whose turn it is to make room, of a session and of all: tombstones first, then the oldest.
CREATE INDEX pending_turn_of ON pending (instance, session, (state = 'pending'), prepared_ns, call);
CREATE INDEX pending_turn ON pending ((state = 'pending'), prepared_ns, instance, session, call);
