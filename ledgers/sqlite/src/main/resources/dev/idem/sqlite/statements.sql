-- The statements of the SQLite ledger. {entry} stands for all columns of an entry.

-- Takes the write lock at once: a transaction that reads first and writes later could find its snapshot outdated.
-- :begin
BEGIN IMMEDIATE

-- :commit
COMMIT

-- :rollback
ROLLBACK

-- Set when an action is let into a transaction. If that is gone, the action or an error has ended the transaction.
-- :savepoint
SAVEPOINT idem

-- :back-to-savepoint
ROLLBACK TO idem

-- :release
RELEASE idem

-- A consistent view for reads of more than one statement.
-- :begin-reading
BEGIN DEFERRED

-- :find
SELECT {entry} FROM entry WHERE key = ? AND operation = ? AND scope = ?

-- The high-water mark: no fence up to this number is ever given again.
-- :highest-fence
SELECT max(ledger.fence, ifnull((SELECT max(fence) FROM entry), 0)) FROM ledger

-- :keep-fence
UPDATE ledger SET fence = max(fence, ?)

-- :grant
INSERT INTO entry (
    fence, origin, lines, began, key, operation, scope, attempt, replays, created, claimed,
    identity, content, parent, labels, attempt_id, owner, owner_host, owner_pid, owner_start,
    lease_wall, lease_boot, lease_nanos, acted, limit_wall, limit_boot, limit_nanos, staged, marks,
    doubt, doubt_since, state, due)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'in_progress', 9223372036854775807)

-- Most entries are like that: a first grant without labels, parent, marks or doubt. Writes nothing if there is an entry
-- at that address. (To look for the highest fence here as well would cost more than to ask for the data version.)
-- :first-grant
INSERT INTO entry (
    fence, origin, acted, lines, began, key, operation, scope, state, attempt, replays, created, claimed, due,
    identity, content, attempt_id, owner, owner_host, owner_pid, owner_start,
    lease_wall, lease_boot, lease_nanos, limit_wall, limit_boot, limit_nanos, staged)
VALUES (?1, ?1, ?1, 0, ?2, ?3, ?4, ?5, 'in_progress', 1, 0, ?6, ?6, 9223372036854775807,
    ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20)
ON CONFLICT (key, operation, scope) DO NOTHING

-- :hold
UPDATE entry SET lease_wall = ?, lease_boot = ?, lease_nanos = ?, marks = ?, lines = ?, began = ? WHERE fence = ?

-- :end
UPDATE entry SET
    state = ?, acted = ?, doubt = ?, doubt_since = ?, settled = ?, expires = ?, due = ?,
    outcome = ?, effect = ?, kept = ?, keep = ?, tombstone = ?, reason = ?, failure_type = ?, failure_message = ?,
    media_type = ?, codec = ?, encoding = ?, body = ?, lines = ?, began = ?, ended = ?
WHERE fence = ?

-- And most of them end like that: complete, with a result, and never in doubt. Writes nothing if the entry is not as it
-- is remembered.
-- :complete
UPDATE entry SET
    state = 'complete', outcome = 'completed', kept = 0, settled = ?1, expires = ?2, due = ?2, ended = ?3,
    effect = ?4, keep = ?5, tombstone = ?6, media_type = ?7, codec = ?8, encoding = ?9, body = ?10
WHERE fence = ?11 AND state = 'in_progress' AND lease_wall = ?12 AND lease_nanos = ?13 AND lines = ?14
    AND marks IS NULL AND doubt IS NULL

-- :remove
DELETE FROM entry WHERE fence = ?

-- :count-replays
UPDATE entry SET replays = replays + ? WHERE fence = ?

-- :label
INSERT INTO label (name, value, fence) VALUES (?, ?, ?)

-- :remove-label
DELETE FROM label WHERE name = ? AND value = ? AND fence = ?

-- :trail-line
INSERT INTO trail (origin, line, at, fence, event, detail) VALUES (?, ?, ?, ?, ?, ?)

-- A trail that is too long loses its oldest lines but the first ones.
-- :shorten-trail
DELETE FROM trail WHERE origin = ? AND line = ?

-- :remove-trail
DELETE FROM trail WHERE origin = ?

-- :forgotten
INSERT INTO forgotten (key, operation, scope, origin, due) VALUES (?, ?, ?, ?, ?)

-- Forgotten trails first, then that of the entry.
-- :trail
SELECT at, fence, event, detail FROM trail
WHERE origin IN (
    SELECT origin FROM forgotten WHERE key = ?1 AND operation = ?2 AND scope = ?3
    UNION ALL
    SELECT origin FROM entry WHERE key = ?1 AND operation = ?2 AND scope = ?3)
ORDER BY origin, line

-- :cover-span
INSERT INTO span (number, due, open) VALUES (?, 9223372036854775807, 1) ON CONFLICT (number) DO NOTHING

-- :span-comes-due
UPDATE span SET due = ?1 WHERE number = ?2 AND due > ?1

-- :due-span
SELECT number FROM span WHERE due <= ? ORDER BY due LIMIT 1

-- :count-due
SELECT count(*) FROM span s JOIN entry e ON e.fence BETWEEN s.number * 1024 AND s.number * 1024 + 1023
WHERE s.due <= ? AND e.due <= ?

-- :due-entries
SELECT {entry} FROM entry WHERE fence BETWEEN ? AND ? AND due <= ? LIMIT ?

-- How many entries a span has, how many of them are in progress or in doubt, and when one comes due next.
-- :look-at-span
SELECT count(*), count(*) FILTER (WHERE due = 9223372036854775807), ifnull(min(due), 9223372036854775807)
FROM entry WHERE fence BETWEEN ? AND ?

-- :span
UPDATE span SET due = ?, open = ? WHERE number = ?

-- :remove-span
DELETE FROM span WHERE number = ?

-- Spans that hold nothing in progress or in doubt any more. The newest may still get such entries.
-- :ended-spans
SELECT number FROM span
WHERE open = 1 AND number < (SELECT max(number) FROM span) AND NOT EXISTS (
    SELECT 1 FROM entry WHERE fence BETWEEN number * 1024 AND number * 1024 + 1023 AND due = 9223372036854775807)
ORDER BY number LIMIT ?

-- :end-span
UPDATE span SET open = 0 WHERE number = ?

-- :due-forgotten
SELECT key, operation, scope, origin FROM forgotten WHERE due <= ? ORDER BY due LIMIT ?

-- :remove-forgotten
DELETE FROM forgotten WHERE key = ? AND operation = ? AND scope = ? AND origin = ?

-- How many are in each state as it counts at a given time. What is in progress may have lapsed: it is looked at one by
-- one.
-- :count-settled
SELECT CASE WHEN expires IS NULL OR expires > ?1 THEN state ELSE 'expired' END, count(*), sum(replays) FROM entry
WHERE state <> 'in_progress' AND (expires IS NULL OR expires > ?1 OR expires + tombstone > ?1)
GROUP BY 1

-- :in-progress
SELECT {entry} FROM span CROSS JOIN entry
WHERE open = 1 AND fence BETWEEN number * 1024 AND number * 1024 + 1023
    AND +entry.due = 9223372036854775807 AND state = 'in_progress'

-- What is in progress or in doubt, as a condition of a query. The plus keeps SQLite from making an index for it first.
-- :is-open
fence IN (
    SELECT fence FROM span CROSS JOIN entry AS opened
    WHERE open = 1 AND fence BETWEEN number * 1024 AND number * 1024 + 1023 AND +opened.due = 9223372036854775807)

-- :data-version
PRAGMA data_version

-- Which steps of the stored format were applied, and with which text.
-- :create-migration
CREATE TABLE migration (
    version INTEGER PRIMARY KEY, name TEXT NOT NULL, checksum TEXT NOT NULL, applied TEXT NOT NULL) STRICT

-- :migrations
SELECT version, checksum FROM migration

-- :migrated
INSERT INTO migration (version, name, checksum, applied) VALUES (?, ?, ?, ?)

-- The conditions of a query are put in.
-- :browse
SELECT {entry} FROM entry WHERE {conditions} ORDER BY fence DESC
