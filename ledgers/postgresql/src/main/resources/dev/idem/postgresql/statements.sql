-- The statements of the PostgreSQL ledger. {schema} stands for its schema, {row(e)} for an entry e as one
-- text, and the bytes of its result beside it.

-- Answers with the time and the entry that is there, or with what was taken: the time and the fence, as one text. It reads
-- first: a duplicate costs no more than that. A small result comes within the text of the entry, a large one beside it.
-- :claim
SELECT CASE WHEN e.key IS NULL THEN {schema}.take(?, ?, ?, ?, ?, ?, ?, ?) END,
    n.at,
    CASE WHEN e.trail IS NULL AND octet_length(e.body) < 2000 THEN e::text
        WHEN e.key IS NOT NULL THEN {schema}.packed(e) END,
    CASE WHEN e.trail IS NOT NULL OR octet_length(e.body) >= 2000 THEN e.body END
FROM (SELECT {schema}.idem_now() AS at OFFSET 0) n
LEFT JOIN {schema}.entry e ON e.scope = ? AND e.operation = ? AND e.key = ?

-- The same where a new key is expected: quicker then, and slower where an entry is found, which comes within the text.
-- :claim-new
SELECT {schema}.take(?, ?, ?, ?, ?, ?, ?, ?)

-- Where something is to be changed that was found, with a judgement of its processes.
-- :claim-judged
SELECT c.at, c.changed, c.entry, c.body
FROM {schema}.claim(?, ?, ?, ?::{schema}.granted, ?, ?, ?, ROW(?, ?, ?, ?)::{schema}.judgement, ?) c

-- The end of almost every attempt: of one that began and ended once, and is as it was granted. Whatever else it may
-- be is for the function. It looks for those who wait only where somebody does: listeners share a lock. No column that
-- is indexed gets another value, as a rule: then no index is written.
-- :complete
UPDATE {schema}.entry x SET
    state = 'complete', expires = {schema}.idem_came() + ?,
    due = CASE WHEN {schema}.idem_came() + ? - x.due BETWEEN 0 AND 60000000 THEN x.due ELSE {schema}.idem_came() + ? END,
    notable = false, settlement = ?, body = ?
WHERE x.scope = ? AND x.operation = ? AND x.key = ? AND x.fence = ? AND x.lease = ? AND x.state = 'in_progress'
    AND x.rare IS NULL
RETURNING x.expires, CASE
    WHEN NOT pg_try_advisory_lock(hashtextextended('{channel}', 7303)) THEN {schema}.announce(x.scope, x.operation, x.key)
    WHEN pg_advisory_unlock(hashtextextended('{channel}', 7303)) THEN NULL END

-- :settle
SELECT c.at, c.changed, c.entry, c.body
FROM {schema}.settle(?, ?, ?, ?, ?::{schema}.settlement, ?) c

-- :resolve
SELECT c.at, c.changed, c.entry, c.body
FROM {schema}.resolve(?, ?, ?, ?, ?::{schema}.settlement, ?, ROW(?, ?, ?, ?)::{schema}.judgement) c

-- :forget
SELECT c.at, c.changed, c.entry, c.body
FROM {schema}.forget(?, ?, ?, ?, ?, ?, ROW(?, ?, ?, ?)::{schema}.judgement, ?) c

-- :mark
SELECT {schema}.mark(?, ?, ?, ?, ?, ?, ?)

-- Answers with the fences that are still current, and whether their lease was prolonged: an entry that somebody holds
-- locked does not keep the others waiting.
-- :renew
WITH asked AS (SELECT * FROM unnest(?, ?, ?, ?, ?) AS t (scope, operation, key, fence, lease)),
free AS MATERIALIZED (
    SELECT e.key, e.operation, e.scope, t.lease FROM asked t
    JOIN {schema}.entry e ON e.key = t.key AND e.operation = t.operation AND e.scope = t.scope AND e.fence = t.fence
    WHERE e.state = 'in_progress' FOR UPDATE OF e SKIP LOCKED),
renewed AS (
    UPDATE {schema}.entry e SET lease = {schema}.idem_now() + f.lease FROM free f
    WHERE e.key = f.key AND e.operation = f.operation AND e.scope = f.scope
    RETURNING e.fence)
SELECT e.fence, r.fence IS NOT NULL FROM asked t
JOIN {schema}.entry e ON e.key = t.key AND e.operation = t.operation AND e.scope = t.scope AND e.fence = t.fence
LEFT JOIN renewed r ON r.fence = e.fence
WHERE e.state = 'in_progress'

-- :find
SELECT {schema}.idem_now(), true, {row(e)} FROM {schema}.entry e WHERE scope = ? AND operation = ? AND key = ?

-- :count-replays
UPDATE {schema}.entry e SET replays = e.replays + t.count FROM unnest(?, ?) AS t (fence, count) WHERE e.fence = t.fence

-- :count-due
SELECT {schema}.purgeable()

-- :purge
SELECT p.seen, p.purged, p.upto FROM {schema}.purge(?, ?, ?) p

-- :sweep
SELECT {schema}.sweep()

-- :purge-beside
SELECT {schema}.purge_beside(?)

-- The trails of forgotten entries, then that of the entry itself.
-- :trail
SELECT l.line ->> 0, l.line ->> 1, l.line ->> 2, l.line ->> 3
FROM (
    SELECT fence, trail FROM {schema}.forgotten WHERE scope = ? AND operation = ? AND key = ?
    UNION ALL
    SELECT e.fence, {schema}.told(w) FROM {schema}.entry e CROSS JOIN LATERAL {schema}.whole(e) w
    WHERE e.scope = ? AND e.operation = ? AND e.key = ?) t,
    jsonb_array_elements(t.trail) WITH ORDINALITY AS l (line, number)
ORDER BY t.fence, l.number

-- The labels of a query are put in, its conditions, and the order.
-- :browse
SELECT now.at, true, {row(e)} FROM {schema}.entry e{joins}, (SELECT {schema}.idem_now() AS at) AS now
WHERE {conditions} ORDER BY {order} DESC LIMIT ?

-- Put in for each label, so that the newest entries that have it are found in their order.
-- :with-label
JOIN {schema}.label l{n} ON l{n}.fence = e.fence AND l{n}.label = {schema}.label_number(?, ?) AND l{n}.fence < ?

-- Two labels may have one number.
-- :has-labels
(e.granted::{schema}.granted).labels::jsonb @> ?::jsonb

-- Everything that is not notable and not complete has a fence above this one. It is asked for before, so that the server
-- knows how little that is.
-- :swept
SELECT coalesce((SELECT upto FROM {schema}.swept), 0)

-- How many are in each state as it counts now. What is in progress may have lapsed: it is looked at one by one.
-- :count-settled
SELECT CASE WHEN expires IS NULL OR expires > now.at THEN state ELSE 'expired' END, count(*), sum(replays)
FROM {schema}.entry, (SELECT {schema}.idem_now() AS at) AS now
WHERE state <> 'in_progress' AND (expires IS NULL OR expires > now.at
    OR expires + (settlement::{schema}.settlement).tombstone > now.at)
GROUP BY 1

-- :in-progress
SELECT now.at, true, {row(e)} FROM {schema}.entry e, (SELECT {schema}.idem_now() AS at) AS now
WHERE e.state = 'in_progress' AND (e.notable OR e.fence > {swept})

-- Of a session that listens: while it does, whoever changes an entry looks whether somebody waits for it.
-- :begin-listening
SELECT pg_advisory_lock_shared(hashtextextended('{channel}', 7303))

-- :end-listening
SELECT pg_advisory_unlock_shared(hashtextextended('{channel}', 7303))

-- :wait
INSERT INTO {schema}.waiting (scope, operation, key, listener, until) VALUES (?, ?, ?, ?, {schema}.idem_now() + ?)
ON CONFLICT (key, operation, scope, listener) DO UPDATE SET until = excluded.until

-- :wait-no-more
DELETE FROM {schema}.waiting WHERE scope = ? AND operation = ? AND key = ? AND listener = ?

-- What a ledger must know of a server before it trusts it.
-- :server
SELECT current_setting('server_version_num')::integer, current_setting('server_encoding'),
    pg_is_in_recovery(), current_setting('transaction_read_only'),
    current_setting('synchronous_commit'), current_setting('fsync'),
    to_regclass('{schema}.migration') IS NOT NULL, current_user::text, current_database()::text

-- :migrations
SELECT version, checksum FROM {schema}.migration

-- Held until the transaction ends: whoever comes first makes the schema, the others find it made.
-- :lock-migrations
SELECT pg_advisory_xact_lock(hashtextextended('{schema}.migration', 7302))

-- What the role lacks to use the ledger, as the statements that give it; null when it lacks nothing.
-- :missing-rights
SELECT string_agg(DISTINCT format('GRANT %s ON %s TO %I;', r.rights, r.object, current_user), ' ')
FROM (VALUES
    ('SELECT, INSERT, UPDATE, DELETE', '{schema}.entry'),
    ('SELECT, INSERT, UPDATE, DELETE', '{schema}.forgotten'),
    ('SELECT, INSERT, UPDATE, DELETE', '{schema}.label'),
    ('SELECT, UPDATE', '{schema}.swept'),
    ('SELECT, INSERT, UPDATE, DELETE', '{schema}.waiting'),
    ('USAGE', 'SEQUENCE {schema}.fence')) AS r (rights, object),
    regexp_split_to_table(r.rights, ', ') AS one
WHERE CASE WHEN r.object LIKE 'SEQUENCE %' THEN NOT has_sequence_privilege(substr(r.object, 10), one)
    ELSE NOT has_table_privilege(r.object, one) END

-- :schema-exists
SELECT to_regnamespace('{schema}') IS NOT NULL

-- :migrated
INSERT INTO {schema}.migration (version, name, checksum) VALUES (?, ?, ?)

-- :ledger-exists
SELECT to_regclass('{schema}.migration') IS NOT NULL

-- A transaction of an action begins with a savepoint, by which it is known at its end that it is still the same one.
-- :begin-action
SAVEPOINT idem_action

-- :back-to-begin-of-action
ROLLBACK TO SAVEPOINT idem_action

-- :end-action
RELEASE SAVEPOINT idem_action

-- On a caller's connection: whether the ledger is in this database. Commits must reach the disk, whatever it was set to.
-- :join-action
SELECT to_regclass('{schema}.entry') IS NOT NULL,
    CASE current_setting('synchronous_commit') WHEN 'off' THEN set_config('synchronous_commit', 'on', true) END
