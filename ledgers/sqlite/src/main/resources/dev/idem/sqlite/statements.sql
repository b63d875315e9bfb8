-- The statements of the SQLite ledger. {row} is the list of a row's columns.

-- Takes the write lock at once: a transaction that reads first and writes later could find its snapshot outdated.
-- :begin
BEGIN IMMEDIATE

-- Takes no lock: what is read until the commit is of one moment.
-- :begin-reading
BEGIN

-- :commit
COMMIT

-- :rollback
ROLLBACK

-- Set before an action may use a transaction. If it is gone, the action or an error has ended the transaction.
-- :savepoint
SAVEPOINT idem

-- :back-to-savepoint
ROLLBACK TO idem

-- :release
RELEASE idem

-- :read
SELECT {row} FROM main.entries WHERE key = ? AND operation = ? AND scope = ?

-- :insert
INSERT INTO main.entries (state, version, claimed, lease, settled, expires, due, labels, document, body, replays,
    key, operation, scope)
VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, 0, ?11, ?12, ?13)
ON CONFLICT DO NOTHING

-- The lease and the count of replays may have changed since the row was read.
-- :replace
UPDATE main.entries SET state = ?1, version = ?2, claimed = ?3, lease = ifnull(?4, lease), settled = ?5, expires = ?6,
    due = ?7, labels = ?8, document = ?9, body = ?10, replays = iif(?11, 0, replays)
WHERE fence = ?12 AND version = ?13 AND lease = ifnull(?14, lease)

-- The same with a new fence. AUTOINCREMENT would not remember a fence that an update has set.
-- :replace-with-new-fence
INSERT OR REPLACE INTO main.entries (state, version, claimed, lease, settled, expires, due, labels, document, body, replays,
    key, operation, scope)
SELECT ?1, ?2, ?3, ifnull(?4, lease), ?5, ?6, ?7, ?8, ?9, ?10, iif(?11, 0, replays), key, operation, scope
FROM main.entries WHERE fence = ?12 AND version = ?13 AND lease = ifnull(?14, lease)

-- :new-fence
SELECT last_insert_rowid()

-- :lease-and-replays
SELECT lease, replays FROM main.entries WHERE fence = ? AND version = ?

-- :renew
UPDATE main.entries SET lease = ?
WHERE fence = ? AND key = ? AND operation = ? AND scope = ? AND state = 'in_progress'

-- :count-replays
UPDATE main.entries SET replays = replays + ? WHERE fence = ? AND key = ? AND operation = ? AND scope = ?

-- :delete
DELETE FROM main.entries WHERE fence = ? AND version = ?

-- Continues after a time and a fence. The last column is the place of the next page.
-- :due
SELECT {row}, due FROM main.entries WHERE due <= ? AND (due, fence) > (?, ?) ORDER BY due, fence LIMIT ?

-- :count-due
SELECT count(*) FROM main.entries WHERE due <= ?

-- :count-states
SELECT state, count(*) FROM main.entries WHERE state <> 'forgotten' GROUP BY state

-- The code inserts the conditions of a query. The hour comes first: in the order of the fences it is nearly sorted.
-- :count-groups
SELECT substr(claimed, 1, 13) || ':00:00Z' AS hour, operation, state, count(*), sum(replays)
FROM main.entries WHERE {conditions} AND (expires IS NULL OR expires > ?) GROUP BY hour, operation, state

-- The code inserts the conditions of a query. Rows without a past had one try, which their columns tell.
-- :count-tries
SELECT substr(claimed, 1, 13) || ':00:00Z' AS hour, operation, state, count(*)
FROM main.entries WHERE {conditions} AND claimed >= ? AND instr(document, '"past":[') = 0
GROUP BY hour, operation, state

-- How long they took, in whole milliseconds.
-- :time-tries
SELECT operation, max(0, ((strftime('%s', substr(settled, 1, 19)) - strftime('%s', substr(claimed, 1, 19))) * 1000000000
    + substr(settled, 21, 9) - substr(claimed, 21, 9)) / 1000000) AS millis, count(*)
FROM main.entries WHERE {conditions} AND claimed >= ? AND instr(document, '"past":[') = 0
GROUP BY operation, millis

-- All other rows, without their results.
-- :scan-storied
SELECT fence, scope, operation, key, state, version, claimed, lease, settled, expires, replays, document, x''
FROM main.entries WHERE {conditions} AND claimed >= ?
    AND (state IN ('in_progress', 'expired', 'forgotten') OR instr(document, '"past":[') > 0)
ORDER BY fence LIMIT ?

-- The code inserts the conditions of a query.
-- :hours
SELECT hour, operation, kind, millis, sum(count) FROM main.hours WHERE {conditions} AND hour >= ?
GROUP BY hour, operation, kind, millis

-- When the table of hours was made, and when the ledger was.
-- :hours-since
SELECT n.applied, o.applied FROM main.migration n JOIN main.migration o ON o.version = 1 WHERE n.version = 3

-- :add-hour
INSERT INTO main.hours (hour, scope, operation, kind, millis, count) VALUES (?, ?, ?, ?, ?, ?)
ON CONFLICT DO UPDATE SET count = count + excluded.count

-- :drop-hours
DELETE FROM main.hours WHERE hour < ?

-- Steps from name to name through the index.
-- :label-names
WITH RECURSIVE names (name) AS (
    SELECT min(name) FROM main.labels
    UNION ALL
    SELECT (SELECT min(name) FROM main.labels WHERE name > names.name) FROM names WHERE name IS NOT NULL)
SELECT name FROM names WHERE name IS NOT NULL

-- :sum-replays
SELECT ifnull(sum(replays), 0) FROM main.entries

-- The code inserts the conditions of a query.
-- :scan
SELECT {row} FROM main.entries WHERE {conditions} ORDER BY fence{order} LIMIT ?

-- Counts no further than to a bound.
-- :count-some
SELECT count(*) FROM (SELECT 1 FROM main.entries WHERE {conditions} LIMIT ?)

-- A number that changes when another connection commits.
-- :data-version
PRAGMA data_version

-- The steps of the stored format that were applied, each with the checksum of its text.
-- :create-migration
CREATE TABLE migration (
    version INTEGER PRIMARY KEY, name TEXT NOT NULL, checksum TEXT NOT NULL, applied TEXT NOT NULL) STRICT

-- :migrations
SELECT version, checksum FROM migration

-- :migrated
INSERT INTO migration (version, name, checksum, applied) VALUES (?, ?, ?, ?)
