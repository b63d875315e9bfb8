-- Format 1: entries, their labels and their trail.
--
-- Instants are microseconds since 1970, durations microseconds. A moment is three columns: the wall clock for people,
-- and the boot it belongs to with that boot's nanoseconds, by which leases are judged. Small structures are JSON text.

-- One row: what the whole ledger remembers.
CREATE TABLE ledger (
    id    INTEGER PRIMARY KEY CHECK (id = 1),
    -- The highest fence of all entries that were removed. The high-water mark of the ledger is this or the highest
    -- fence of an entry, whichever is higher, so that a grant has no second table to write.
    fence INTEGER NOT NULL
) STRICT;
INSERT INTO ledger (id, fence) VALUES (1, 0);

-- The key of the table is the fence of the newest grant: it grows, so that new rows share pages and browsing goes
-- down the table. Columns that may be large come last.
CREATE TABLE entry (
    fence           INTEGER PRIMARY KEY,
    -- The fence of the first grant, under which the trail is kept, and how many lines were written to it.
    origin          INTEGER NOT NULL,
    lines           INTEGER NOT NULL,
    -- How the newest attempt began and ended, where the trail does not tell it yet.
    began           TEXT,
    ended           TEXT,
    key             TEXT NOT NULL,
    operation       TEXT NOT NULL,
    scope           TEXT NOT NULL,
    -- in_progress, complete, failed, in_doubt or expired; as it was written, not as it may have lapsed since.
    state           TEXT NOT NULL,
    attempt         INTEGER NOT NULL,
    replays         INTEGER NOT NULL,
    created         INTEGER NOT NULL,
    claimed         INTEGER NOT NULL,
    settled         INTEGER,
    expires         INTEGER,
    -- When a purge has something to do with the entry next; the end of time for never.
    due             INTEGER NOT NULL,
    -- SHA-256 in hex.
    identity        TEXT,
    content         TEXT,
    -- ["scope","operation","key"]
    parent          TEXT,
    -- {"name":"value"}; searched through the table label.
    labels          TEXT,
    attempt_id      TEXT NOT NULL,
    owner           TEXT NOT NULL,
    owner_host      TEXT,
    owner_pid       INTEGER,
    owner_start     INTEGER,
    lease_wall      INTEGER NOT NULL,
    lease_boot      TEXT NOT NULL,
    lease_nanos     INTEGER NOT NULL,
    -- The fence of the last attempt that was allowed to act.
    acted           INTEGER NOT NULL,
    limit_wall      INTEGER NOT NULL,
    limit_boot      TEXT NOT NULL,
    limit_nanos     INTEGER NOT NULL,
    staged          INTEGER NOT NULL,
    -- [{"name":"charging"},{"name":"started","host":"…","pid":1,"start":2}]
    marks           TEXT,
    doubt           TEXT,
    doubt_since     INTEGER,
    -- completed, failed, not_executed or doubtful.
    outcome         TEXT,
    effect          TEXT,
    kept            INTEGER,
    keep            INTEGER,
    tombstone       INTEGER,
    -- Why a result is not there, or what shows that nothing was executed.
    reason          TEXT,
    failure_type    TEXT,
    failure_message TEXT,
    media_type      TEXT,
    codec           TEXT,
    encoding        TEXT,
    body            BLOB
) STRICT;

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

-- What has failed is little, and is what people look for.
CREATE INDEX entry_failed ON entry (state) WHERE state = 'failed';

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
