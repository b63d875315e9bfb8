-- Format 1.
--
-- Times are UTC with nanoseconds, so that they sort as text. Behind the times that leases are judged by stand the
-- nanoseconds of the monotonic clock and the boot they belong to: 2026-03-01T12:00:00.123456789Z 3901000000000 boot-1

-- One row per address.
CREATE TABLE entries (
    -- The number of the newest grant. AUTOINCREMENT: no number is given twice, also when its row is gone.
    fence     INTEGER PRIMARY KEY AUTOINCREMENT,
    scope     TEXT NOT NULL,
    operation TEXT NOT NULL,
    key       TEXT NOT NULL,
    -- in_progress, complete, failed, in_doubt, expired; or forgotten, when only the fence and the trail are left.
    -- A lease that has run out is not written down.
    state     TEXT NOT NULL,
    -- Random, chosen by the writer. A row is replaced only if its version is the one that was read.
    version   INTEGER NOT NULL,
    claimed   TEXT NOT NULL,
    lease     TEXT NOT NULL,
    settled   TEXT,
    expires   TEXT,
    -- When a purge has to look at the row.
    due       TEXT,
    -- How many duplicates it has answered.
    replays   INTEGER NOT NULL,
    -- {"name":"value"}, searched through the table labels.
    labels    TEXT,
    -- Everything else, as JSON. Its last column, the result, may be large.
    document  TEXT NOT NULL,
    body      BLOB
) STRICT;

-- The key comes first: it tells most, and people search by it alone.
CREATE UNIQUE INDEX entries_address ON entries (key, operation, scope);

-- A grant has nothing to write here.
CREATE INDEX entries_due ON entries (due) WHERE due IS NOT NULL;

-- An index of labels. Triggers keep it, so that every write stays one statement.
CREATE TABLE labels (
    name  TEXT NOT NULL,
    value TEXT NOT NULL,
    fence INTEGER NOT NULL,
    PRIMARY KEY (name, value, fence)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER labels_of_inserted AFTER INSERT ON entries WHEN new.labels IS NOT NULL BEGIN
    INSERT INTO labels (name, value, fence) SELECT key, value, new.fence FROM json_each(new.labels);
END;

CREATE TRIGGER labels_of_deleted AFTER DELETE ON entries WHEN old.labels IS NOT NULL BEGIN
    DELETE FROM labels
    WHERE (name, value, fence) IN (SELECT key, value, old.fence FROM json_each(old.labels));
END;

CREATE TRIGGER labels_of_updated AFTER UPDATE OF labels ON entries WHEN old.labels IS NOT new.labels BEGIN
    DELETE FROM labels
    WHERE (name, value, fence) IN (SELECT key, value, old.fence FROM json_each(old.labels));
    INSERT INTO labels (name, value, fence) SELECT key, value, new.fence FROM json_each(new.labels);
END;
