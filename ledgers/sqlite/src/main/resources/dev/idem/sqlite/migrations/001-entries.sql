-- Format 1: entries, their labels and their trail.
--
-- Instants are microseconds since 1970, durations microseconds. A moment is the wall clock for people, and the boot it
-- belongs to with that boot's nanoseconds, by which leases are judged. Small structures are JSON text.

-- One row: what the whole ledger remembers.
CREATE TABLE ledger (
    id    INTEGER PRIMARY KEY CHECK (id = 1),
    -- The highest fence of all rows that were removed, also of those that a later grant has replaced. The high-water mark
    -- of the ledger is this or the highest fence of an entry, whichever is higher, so that a grant has no second table to
    -- write.
    fence INTEGER NOT NULL
) STRICT;
INSERT INTO ledger (id, fence) VALUES (1, 0);

-- The key of the table is the fence of the newest grant: it grows, so that new rows share pages and browsing goes
-- down the table. What no statement judges by is packed into two texts: a row costs by its columns, not by its length.
-- The view entries shows everything by name.
CREATE TABLE entry (
    fence     INTEGER PRIMARY KEY,
    key       TEXT NOT NULL,
    operation TEXT NOT NULL,
    scope     TEXT NOT NULL,
    -- in_progress, complete, failed, in_doubt or expired; as it was written, not as it may have lapsed since.
    state     TEXT NOT NULL,
    replays   INTEGER NOT NULL,
    claimed   INTEGER NOT NULL,
    -- When a purge has something to do with the entry next: when it expires, or its tombstone; the end of time for never.
    due       INTEGER NOT NULL,
    -- A JSON array: who was granted it, what for, and for how long.
    attempt   TEXT NOT NULL,
    -- A JSON array: how it ended; null while it has not.
    outcome   TEXT,
    -- May be large, and so comes last.
    body      BLOB
) STRICT;

-- Entries for people.
CREATE VIEW entries AS SELECT
    fence, key, operation, scope, state, replays,
    ifnull(attempt ->> 16, claimed) AS created, claimed, outcome ->> 0 AS settled, outcome ->> 1 AS expires, due,
    attempt ->> 12 AS attempt, attempt ->> 0 AS attempt_id,
    attempt ->> 1 AS owner, attempt ->> 2 AS owner_host, attempt ->> 3 AS owner_pid, attempt ->> 4 AS owner_start,
    attempt ->> 5 AS lease_wall, attempt ->> 6 AS lease_boot, attempt ->> 7 AS lease_nanos,
    attempt ->> 8 AS limit_wall, ifnull(attempt ->> 10, attempt ->> 6) AS limit_boot, attempt ->> 9 AS limit_nanos,
    attempt ->> 11 AS staged,
    -- SHA-256 in hex.
    attempt ->> 14 AS identity, attempt ->> 15 AS content,
    -- The fence of the last attempt that was allowed to act.
    ifnull(attempt ->> 18, fence) AS acted,
    -- ["scope","operation","key"]
    attempt ->> 20 AS parent,
    -- {"name":"value"}; searched through the table label.
    attempt ->> 21 AS labels,
    -- [{"name":"charging"},{"name":"started","host":"…","pid":1,"start":2}]
    attempt ->> 22 AS marks,
    attempt ->> 23 AS doubt, attempt ->> 24 AS doubt_since,
    -- completed, failed, not_executed or doubtful.
    outcome ->> 3 AS outcome, outcome ->> 6 AS effect, outcome ->> 4 AS keep, outcome ->> 5 AS tombstone,
    -- Why a result is not there, or what shows that nothing was executed.
    outcome ->> 10 AS reason, ifnull(outcome ->> 11, 0) AS kept,
    outcome ->> 12 AS failure_type, outcome ->> 13 AS failure_message,
    outcome ->> 7 AS media_type, outcome ->> 8 AS codec, outcome ->> 9 AS encoding, body,
    -- The fence of the first grant, under which the trail is kept, how many lines were written to it, and how the newest
    -- attempt began and ended, where the trail does not tell it yet.
    ifnull(attempt ->> 17, fence) AS origin, ifnull(attempt ->> 19, 0) AS lines, attempt ->> 13 AS began,
    outcome ->> 2 AS ended
FROM entry;


-- The key comes first: it tells most, and it alone is what people ask for.
CREATE UNIQUE INDEX entry_address ON entry (key, operation, scope);

-- Each row stands for 1024 fences and the entries that have them. It spares a grant and a settle an index of due times:
-- most of them have nothing to write here.
CREATE TABLE span (
    -- The fence, divided by 1024.
    number INTEGER PRIMARY KEY,
    -- None of its entries comes due before; the end of time for never.
    due    INTEGER NOT NULL,
    -- 0: none of its entries is in progress or in doubt, and none will be, since new grants have new fences.
    open   INTEGER NOT NULL
) STRICT;
CREATE INDEX span_due ON span (due);
CREATE INDEX span_open ON span (number) WHERE open = 1;

-- The fences of entries that have failed: they are few, and are what people look for. A table, since an index would be
-- looked after by every settle.
CREATE TABLE failed (
    fence INTEGER PRIMARY KEY
) STRICT;

CREATE TABLE label (
    name  TEXT NOT NULL,
    value TEXT NOT NULL,
    fence INTEGER NOT NULL,
    PRIMARY KEY (name, value, fence)
) STRICT, WITHOUT ROWID;

-- What happened to an entry, but for what the entry itself tells: most entries have no line here. The lines of one
-- entry lie together.
CREATE TABLE trail (
    origin INTEGER NOT NULL,
    line   INTEGER NOT NULL,
    at     INTEGER NOT NULL,
    fence  INTEGER NOT NULL,
    event  TEXT NOT NULL,
    detail TEXT NOT NULL,
    PRIMARY KEY (origin, line)
) STRICT, WITHOUT ROWID;

-- Where the trails of forgotten entries are, and until when they are kept.
CREATE TABLE forgotten (
    key       TEXT NOT NULL,
    operation TEXT NOT NULL,
    scope     TEXT NOT NULL,
    origin    INTEGER NOT NULL,
    due       INTEGER NOT NULL,
    PRIMARY KEY (key, operation, scope, origin)
) STRICT, WITHOUT ROWID;
CREATE INDEX forgotten_due ON forgotten (due);
