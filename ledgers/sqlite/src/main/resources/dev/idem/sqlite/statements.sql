-- The statements of the SQLite ledger. {entry} stands for all columns of an entry.

-- Takes the write lock at once: a transaction that reads first and writes later could find its snapshot outdated.
-- :begin
BEGIN IMMEDIATE

-- :commit
COMMIT

-- :rollback
ROLLBACK

-- A consistent view for reads of more than one statement.
-- :begin-reading
BEGIN DEFERRED

-- :find
SELECT {entry} FROM entry WHERE key = ? AND operation = ? AND scope = ?

-- The same for a claim, with the high-water mark: no fence up to this number is ever given again.
-- :find-for-claim
SELECT {entry}, (SELECT max(ledger.fence, ifnull((SELECT max(fence) FROM entry), 0)) FROM ledger)
FROM (SELECT 1) LEFT JOIN entry ON key = ? AND operation = ? AND scope = ?

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

-- :hold
UPDATE entry SET lease_wall = ?, lease_boot = ?, lease_nanos = ?, marks = ?, lines = ?, began = ? WHERE fence = ?

-- :end
UPDATE entry SET
    state = ?, acted = ?, doubt = ?, doubt_since = ?, settled = ?, expires = ?, due = ?,
    outcome = ?, effect = ?, kept = ?, keep = ?, tombstone = ?, reason = ?, failure_type = ?, failure_message = ?,
    media_type = ?, codec = ?, encoding = ?, body = ?, lines = ?, began = ?, ended = ?
WHERE fence = ?

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

-- :due-entries
SELECT {entry} FROM entry WHERE due <= ? ORDER BY due LIMIT ?

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
SELECT {entry} FROM entry WHERE due = 9223372036854775807 AND state = 'in_progress'

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
