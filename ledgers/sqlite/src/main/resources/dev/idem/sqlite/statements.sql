-- The statements of the SQLite ledger. {entry} stands for an entry as one text, and the body of its result. Texts that
-- are written as UTF-8 come as such, and are cast.

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
INSERT INTO entry (fence, key, operation, scope, state, replays, claimed, due, attempt)
VALUES (?, ?, ?, ?, 'in_progress', ?, ?, 9223372036854775807, CAST(? AS TEXT))

-- A first grant without labels, as most are, with the fence after the highest that is remembered. Writes nothing if there
-- is an entry at that address, or if that fence was given by somebody else meanwhile: then a row has it, or such a row was
-- removed, and there is no state, which the table refuses.
-- :first-grant
INSERT OR IGNORE INTO entry (fence, key, operation, scope, state, replays, claimed, due, attempt)
VALUES (?1, ?2, ?3, ?4,
    CASE WHEN ?1 > (SELECT fence FROM ledger WHERE id = 1) THEN 'in_progress' END,
    0, ?5, 9223372036854775807, CAST(?6 AS TEXT))

-- :hold
UPDATE entry SET attempt = CAST(? AS TEXT) WHERE fence = ?

-- :end
UPDATE entry SET state = ?, due = ?, outcome = CAST(? AS TEXT), body = ?, attempt = CAST(? AS TEXT) WHERE fence = ?

-- An end that changes nothing about the attempt, as most do. Writes nothing if the entry is not as it is remembered.
-- :end-unchanged
UPDATE entry SET state = ?, due = ?, outcome = CAST(? AS TEXT), body = ?
WHERE fence = ? AND state = 'in_progress' AND attempt = CAST(? AS TEXT)

-- :remove
DELETE FROM entry WHERE fence = ?

-- :failed
INSERT INTO failed (fence) VALUES (?) ON CONFLICT DO NOTHING

-- :remove-failed
DELETE FROM failed WHERE fence = ?

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
    SELECT ifnull(attempt ->> 17, fence) FROM entry WHERE key = ?1 AND operation = ?2 AND scope = ?3)
ORDER BY origin, line

-- :cover-span
INSERT INTO span (number, due, open) VALUES (?, 9223372036854775807, 1) ON CONFLICT (number) DO NOTHING

-- :span-comes-due
UPDATE span SET due = ?1 WHERE number = ?2 AND due > ?1

-- :span-due
SELECT due FROM span WHERE number = ?

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

-- The newest row is the one of the highest fence: it is never removed, and may still get entries.
-- :newest-span
SELECT ifnull(max(number), -1) FROM span

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
SELECT CASE WHEN due > ?1 THEN state ELSE 'expired' END, count(*), sum(replays) FROM entry
WHERE state <> 'in_progress' AND (due > ?1 OR state <> 'expired' AND due + (outcome ->> 5) > ?1)
GROUP BY 1

-- :in-progress
SELECT {entry} FROM span CROSS JOIN entry
WHERE open = 1 AND fence BETWEEN number * 1024 AND number * 1024 + 1023
    AND +entry.due = 9223372036854775807 AND +state = 'in_progress'

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
