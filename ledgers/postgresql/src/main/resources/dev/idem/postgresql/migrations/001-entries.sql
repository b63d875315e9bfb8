-- Format 1: the tables. {schema} stands for the schema of the ledger. Every name is qualified: nothing here depends on the
-- settings of a session.

-- Grows with every grant and never goes back: not after a rollback, a forget, a purge or a stepped clock.
CREATE SEQUENCE {schema}.fence AS bigint CACHE 1;

-- One row per address. Names compare byte by byte, whatever the language of the database.
CREATE TABLE {schema}.entries (
    scope     text COLLATE "C" NOT NULL,
    operation text COLLATE "C" NOT NULL,
    key       text COLLATE "C" NOT NULL,
    -- in_progress, complete, failed, in_doubt, expired, or forgotten; as it was written, not as it may have lapsed since.
    state     text COLLATE "C" NOT NULL,
    fence     bigint NOT NULL,
    -- Random, chosen by the writer: a write compares it with the version that it has seen.
    version   bigint NOT NULL,
    claimed   timestamptz NOT NULL,
    lease     timestamptz NOT NULL,
    settled   timestamptz,
    expires   timestamptz,
    -- When a purge looks at the row; null for never, which is so for all that is in progress or in doubt.
    due       timestamptz,
    replays   bigint NOT NULL DEFAULT 0,
    -- For searching; null for none. The document has them too.
    labels    jsonb,
    -- Everything else about the entry, as JSON. It is text, since no statement looks into it.
    document  text NOT NULL,
    -- The bytes of the result.
    body      bytea,
    -- The key comes first: it tells rows apart best, and people search by the key alone.
    PRIMARY KEY (key, operation, scope)
);

-- For listings, newest first.
CREATE UNIQUE INDEX entries_fence ON {schema}.entries (fence);
-- For purges, and with due IS NULL for what is in progress or in doubt.
CREATE INDEX entries_due ON {schema}.entries (due);
-- For what few rows have.
CREATE INDEX entries_failed ON {schema}.entries (fence) WHERE state = 'failed';
CREATE INDEX entries_labels ON {schema}.entries USING gin (labels jsonb_path_ops) WHERE labels IS NOT NULL;

-- Which process waits for which entry, so that only changes that a process waits for are announced. It is unlogged: after a
-- crash of the server no process listens any more.
CREATE UNLOGGED TABLE {schema}.waiting (
    scope     text COLLATE "C" NOT NULL,
    operation text COLLATE "C" NOT NULL,
    key       text COLLATE "C" NOT NULL,
    listener  text NOT NULL,
    until     timestamptz NOT NULL,
    PRIMARY KEY (key, operation, scope, listener)
);
