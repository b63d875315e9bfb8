-- The statements of the PostgreSQL ledger. {schema} is its schema, {channel} the channel for announcements of changes.
-- Each statement is one round trip and commits by itself. StoredRow reads the columns of a row in this order.
-- Every name is qualified, also those of functions, types and operators, since a session may put a schema of its own in
-- front of pg_catalog: {=} stands for OPERATOR(pg_catalog.=). All such operators bind equally strongly, so mind the
-- parentheses. CASE x WHEN, IN and LIKE would look up their operators by the session's search path.

-- Reads first, so that a duplicate costs only a read. If there is no row, the same statement inserts one. If another
-- claim inserts at the same moment, it returns no row.
-- :insert
SELECT q.now, (q.i).fence, (q.i).claimed,
    q.version, q.fence, q.state, q.claimed, q.lease, q.settled, q.expires, q.replays, q.document, q.body
FROM (
    SELECT n.now, CASE WHEN e.key IS NULL THEN {schema}.insert_entry(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) END AS i, e.*
    FROM (SELECT {schema}.read_clock() AS now OFFSET 0) n
    LEFT JOIN {schema}.entries e ON e.scope {=} ? AND e.operation {=} ? AND e.key {=} ?
    OFFSET 0) q

-- :read
SELECT n.now,
    e.version, e.fence, e.state, e.claimed, e.lease, e.settled, e.expires, e.replays, e.document, e.body
FROM (SELECT {schema}.read_clock() AS now OFFSET 0) n
LEFT JOIN {schema}.entries e ON e.scope {=} ? AND e.operation {=} ? AND e.key {=} ?

-- Compare-and-set. With a null for the seen lease it compares only the version. The change is announced if a process
-- waits for it; NOTIFY takes effect with the commit.
-- :replace
UPDATE {schema}.entries e SET
    version = ?,
    state = ?,
    fence = CASE WHEN ? THEN pg_catalog.nextval('{schema}.fence') ELSE e.fence END,
    replays = CASE WHEN ? THEN 0 ELSE e.replays END,
    claimed = CASE WHEN w.stamp {=} 'CLAIMED' THEN w.now ELSE e.claimed END,
    lease = coalesce(w.now {+} {schema}.micros(?), e.lease),
    settled = CASE WHEN w.stamp {=} 'CLAIMED' THEN NULL WHEN w.stamp {=} 'SETTLED' THEN w.now ELSE e.settled END,
    expires = CASE WHEN w.stamp {=} 'CLAIMED' THEN NULL WHEN w.stamp {=} 'SETTLED' THEN w.due ELSE e.expires END,
    due = w.due,
    labels = ?::pg_catalog.jsonb,
    document = ?,
    body = ?
FROM (
    SELECT t.now, t.now {+} {schema}.micros(?) AS due, ? AS stamp,
        pg_catalog.set_config('lock_timeout', ?, true) AS patience
    FROM (SELECT {schema}.write_clock() AS now OFFSET 0) t
    OFFSET 0) w
WHERE e.scope {=} ? AND e.operation {=} ? AND e.key {=} ? AND e.version {=} ? AND e.lease {=} coalesce(?, e.lease)
RETURNING e.fence, e.claimed, e.lease, e.settled, e.expires, e.replays,
    CASE WHEN EXISTS (
        SELECT FROM {schema}.waiting x WHERE x.key {=} e.key AND x.operation {=} e.operation AND x.scope {=} e.scope)
    THEN pg_catalog.pg_notify('{channel}', pg_catalog.json_build_array(e.scope, e.operation, e.key)::pg_catalog.text) END

-- Returns the tickets that are still current, by number, and whether their lease was renewed. A row that another
-- transaction has locked does not delay the others. For a single ticket it waits for the lock.
-- :renew
WITH asked AS MATERIALIZED (
    SELECT t.*, pg_catalog.set_config('lock_timeout', ?, true) AS patience
    FROM unnest(?, ?, ?, ?, ?) WITH ORDINALITY AS t (scope, operation, key, fence, lease, number)),
free AS MATERIALIZED (
    SELECT e.key, e.operation, e.scope, t.lease, t.number FROM asked t
    JOIN {schema}.entries e
        ON e.key {=} t.key AND e.operation {=} t.operation AND e.scope {=} t.scope AND e.fence {=} t.fence
    WHERE e.state {=} 'in_progress' FOR UPDATE OF e {skip}),
renewed AS (
    UPDATE {schema}.entries e SET lease = {schema}.write_clock() {+} {schema}.micros(f.lease) FROM free f
    WHERE e.key {=} f.key AND e.operation {=} f.operation AND e.scope {=} f.scope
    RETURNING f.number)
SELECT t.number, r.number IS NOT NULL FROM asked t
JOIN {schema}.entries e
    ON e.key {=} t.key AND e.operation {=} t.operation AND e.scope {=} t.scope AND e.fence {=} t.fence
LEFT JOIN renewed r ON r.number {=} t.number
WHERE e.state {=} 'in_progress' OR r.number IS NOT NULL

-- Locks in the order of the fences, so that two of these never wait for each other.
-- :count-replays
WITH counted AS MATERIALIZED (
    SELECT e.fence, t.count FROM unnest(?, ?) AS t (fence, count)
    JOIN {schema}.entries e ON e.fence {=} t.fence
    WHERE pg_catalog.set_config('lock_timeout', ?, true) IS NOT NULL
    ORDER BY e.fence FOR UPDATE OF e)
UPDATE {schema}.entries e SET replays = e.replays {+} c.count FROM counted c WHERE e.fence {=} c.fence

-- The code inserts the conditions of a query and the order.
-- :scan
SELECT n.now, e.scope, e.operation, e.key,
    e.version, e.fence, e.state, e.claimed, e.lease, e.settled, e.expires, e.replays, e.document, e.body
FROM (SELECT {schema}.read_clock() AS now OFFSET 0) n
LEFT JOIN LATERAL (
    SELECT * FROM {schema}.entries e WHERE {conditions} ORDER BY {order} LIMIT ?) e ON true
ORDER BY e.fence{direction}

-- Counts no further than to a bound.
-- :count-some
SELECT pg_catalog.count(*) FROM (SELECT 1 FROM {schema}.entries e WHERE {conditions} LIMIT ?) counted

-- Continues after a time and a fence. The last column is the place of the next page.
-- :due
SELECT n.now, e.scope, e.operation, e.key,
    e.version, e.fence, e.state, e.claimed, e.lease, e.settled, e.expires, e.replays, e.document, e.body, e.due
FROM (SELECT {schema}.read_clock() AS now OFFSET 0) n
LEFT JOIN LATERAL (
    SELECT * FROM {schema}.entries e WHERE e.due {<=} n.now AND (e.due, e.fence) {>} (?::pg_catalog.timestamptz, ?)
    ORDER BY e.due, e.fence LIMIT ?) e ON true
ORDER BY e.due, e.fence

-- :count-due
SELECT pg_catalog.count(*) FROM {schema}.entries WHERE due {<=} {schema}.read_clock()

-- Waits for no lock on an entry: a row that another transaction holds, or whose address is being claimed, is purged later.
-- What the deleted rows told is added to the hours, in the order of :add-hours. It waits for a row there as long as a claim
-- would, since claims may wait for what it has locked.
-- :delete
WITH free AS MATERIALIZED (
    SELECT e.key, e.operation, e.scope, e.version
    FROM unnest(?, ?, ?, ?) AS t (scope, operation, key, version)
    JOIN {schema}.entries e
        ON e.key {=} t.key AND e.operation {=} t.operation AND e.scope {=} t.scope AND e.version {=} t.version
    FOR UPDATE OF e SKIP LOCKED),
unclaimed AS MATERIALIZED (
    SELECT f.*, pg_catalog.pg_try_advisory_xact_lock({schema}.address_lock(f.scope, f.operation, f.key)) AS locked
    FROM free f),
deleted AS (
    DELETE FROM {schema}.entries e USING unclaimed u
    WHERE u.locked AND e.key {=} u.key AND e.operation {=} u.operation AND e.scope {=} u.scope AND e.version {=} u.version
    RETURNING e.scope, e.operation, e.version),
told AS (
    INSERT INTO {schema}.hours AS h (hour, scope, operation, kind, millis, part, count)
    SELECT t.hour, d.scope, d.operation, t.kind, t.millis, pg_catalog.pg_backend_pid() {%} 16, pg_catalog.count(*)
    FROM deleted d JOIN unnest(?, ?, ?, ?) AS t (version, hour, kind, millis) ON t.version {=} d.version
    WHERE pg_catalog.set_config('lock_timeout', ?, true) IS NOT NULL
    GROUP BY t.hour, d.scope, d.operation, t.kind, t.millis
    ORDER BY t.hour, d.operation COLLATE pg_catalog."C", d.scope COLLATE pg_catalog."C", t.kind, t.millis
    ON CONFLICT (hour, operation, scope, kind, millis, part) DO UPDATE SET count = h.count {+} excluded.count),
dropped AS (
    DELETE FROM {schema}.hours o WHERE o.ctid {=} ANY (ARRAY(
        SELECT x.ctid FROM {schema}.hours x WHERE x.hour {<} ({schema}.read_clock() {-} interval '8 days')
        LIMIT 1000 FOR UPDATE SKIP LOCKED)))
SELECT pg_catalog.count(*) FROM deleted

-- :counts
SELECT state, pg_catalog.count(*) FROM {schema}.entries WHERE state {<>} 'forgotten' GROUP BY state

-- The code inserts the conditions of a query. The hours are those of UTC, whatever the time zone of the session.
-- :count-groups
SELECT pg_catalog.date_trunc('hour', e.claimed AT TIME ZONE 'UTC') AS hour, e.operation, e.state,
    pg_catalog.count(*), pg_catalog.sum(e.replays)::bigint
FROM (SELECT {schema}.read_clock() AS now OFFSET 0) n
JOIN {schema}.entries e ON {conditions} AND (e.expires IS NULL OR e.expires {>} n.now)
GROUP BY hour, e.operation, e.state

-- The code inserts the conditions of a query. Rows without a past had one try, which their columns tell.
-- :count-tries
SELECT pg_catalog.date_trunc('hour', e.claimed AT TIME ZONE 'UTC') AS hour, e.operation, e.state, pg_catalog.count(*)
FROM (SELECT {schema}.read_clock() AS now OFFSET 0) n
JOIN {schema}.entries e ON {conditions} AND e.claimed {>=} ? AND pg_catalog.strpos(e.document, '"past":[') {=} 0
GROUP BY hour, e.operation, e.state

-- How long they took, in whole milliseconds: first made a whole number of microseconds.
-- :time-tries
SELECT e.operation, greatest(0, pg_catalog.div(pg_catalog.round(
    (extract(epoch FROM (e.settled {-} e.claimed)) {*} 1000000)::numeric), 1000)::bigint) AS millis, pg_catalog.count(*)
FROM (SELECT {schema}.read_clock() AS now OFFSET 0) n
JOIN {schema}.entries e ON {conditions} AND e.claimed {>=} ? AND pg_catalog.strpos(e.document, '"past":[') {=} 0
GROUP BY e.operation, millis

-- All other rows, without their results.
-- :scan-storied
SELECT n.now, e.scope, e.operation, e.key,
    e.version, e.fence, e.state, e.claimed, e.lease, e.settled, e.expires, e.replays, e.document, ''::pg_catalog.bytea
FROM (SELECT {schema}.read_clock() AS now OFFSET 0) n
LEFT JOIN LATERAL (
    SELECT * FROM {schema}.entries e WHERE {conditions} AND e.claimed {>=} ?
        AND (e.state {=} ANY (ARRAY['in_progress', 'expired', 'forgotten'])
            OR pg_catalog.strpos(e.document, '"past":[') {>} 0)
    ORDER BY e.fence LIMIT ?) e ON true
ORDER BY e.fence

-- The code inserts the conditions of a query.
-- :hours
SELECT e.hour AT TIME ZONE 'UTC', e.operation, e.kind, e.millis, pg_catalog.sum(e.count)::bigint
FROM {schema}.hours e WHERE {conditions} AND e.hour {>=} ?
GROUP BY e.hour, e.operation, e.kind, e.millis

-- When the table of hours was made, and when the ledger was; nothing where the table is missing, or may not be read.
-- :hours-since
SELECT n.applied, o.applied FROM {schema}.migration n JOIN {schema}.migration o ON o.version {=} 1
WHERE n.version {=} 5
    AND pg_catalog.has_table_privilege(pg_catalog.to_regclass('{schema}.hours')::pg_catalog.oid, 'SELECT')

-- :one-moment
SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY

-- In the order of the rows, so that two of these, or of :delete, never wait for each other; byte by byte as there, whatever
-- the language of the database. What is too old for every figure is deleted.
-- :add-hours
WITH dropped AS (
    DELETE FROM {schema}.hours o WHERE o.ctid {=} ANY (ARRAY(
        SELECT x.ctid FROM {schema}.hours x WHERE x.hour {<} ({schema}.read_clock() {-} interval '8 days')
        LIMIT 1000 FOR UPDATE SKIP LOCKED)))
INSERT INTO {schema}.hours AS h (hour, scope, operation, kind, millis, part, count)
SELECT t.hour, t.scope, t.operation, t.kind, t.millis, pg_catalog.pg_backend_pid() {%} 16, pg_catalog.sum(t.count)
FROM unnest(?, ?, ?, ?, ?, ?) AS t (hour, scope, operation, kind, millis, count)
WHERE pg_catalog.set_config('lock_timeout', ?, true) IS NOT NULL
GROUP BY t.hour, t.scope, t.operation, t.kind, t.millis
ORDER BY t.hour, t.operation COLLATE pg_catalog."C", t.scope COLLATE pg_catalog."C", t.kind, t.millis
ON CONFLICT (hour, operation, scope, kind, millis, part) DO UPDATE SET count = h.count {+} excluded.count

-- Among the newest rows, since their index has no list of names. The first column tells whether those are all.
-- :label-names
WITH newest AS MATERIALIZED (SELECT e.labels FROM {schema}.entries e ORDER BY e.fence DESC LIMIT ?)
SELECT (SELECT pg_catalog.count(*) FROM newest) {<} ?,
    ARRAY(SELECT DISTINCT l.name FROM newest n, LATERAL pg_catalog.jsonb_object_keys(n.labels) AS l (name))

-- :replays
SELECT coalesce(pg_catalog.sum(replays), 0) FROM {schema}.entries WHERE state {<>} 'forgotten'

-- The waiters of killed processes.
-- :wait-no-longer
DELETE FROM {schema}.waiting WHERE until {<} {schema}.write_clock()

-- :wait
INSERT INTO {schema}.waiting (scope, operation, key, listener, until)
VALUES (?, ?, ?, ?, {schema}.write_clock() {+} {schema}.micros(?))
ON CONFLICT (key, operation, scope, listener) DO UPDATE SET until = excluded.until

-- :wait-no-more
DELETE FROM {schema}.waiting WHERE scope {=} ? AND operation {=} ? AND key {=} ? AND listener {=} ?

-- The settings of the server that the ledger checks when it opens.
-- :server
SELECT pg_catalog.current_setting('server_version_num')::integer, pg_catalog.current_setting('server_encoding'),
    pg_catalog.pg_is_in_recovery(), pg_catalog.current_setting('transaction_read_only'),
    pg_catalog.current_setting('synchronous_commit'), pg_catalog.current_setting('fsync'),
    pg_catalog.to_regclass('{schema}.migration') IS NOT NULL

-- :migrations
SELECT version, checksum FROM {schema}.migration

-- Held until the transaction ends: the first process creates the schema, the others find it.
-- :lock-migrations
SELECT pg_catalog.pg_advisory_xact_lock(pg_catalog.hashtextextended('{schema}.migration', 7302))

-- The statements that grant the rights that the role lacks; null if it lacks none.
-- :missing-rights
SELECT pg_catalog.string_agg(DISTINCT pg_catalog.format('GRANT %s ON %s TO %I;', r.rights, r.object, current_user), ' ')
FROM (VALUES
    ('SELECT, INSERT, UPDATE, DELETE', '{schema}.entries'),
    ('SELECT, INSERT, UPDATE, DELETE', '{schema}.waiting'),
    ('SELECT, INSERT, UPDATE, DELETE', '{schema}.hours'),
    ('USAGE', 'SEQUENCE {schema}.fence')) AS r (rights, object),
    pg_catalog.regexp_split_to_table(r.rights, ', ') AS one
WHERE CASE WHEN pg_catalog.starts_with(r.object, 'SEQUENCE ')
    THEN NOT pg_catalog.has_sequence_privilege(pg_catalog.substr(r.object, 10), one)
    ELSE NOT pg_catalog.has_table_privilege(r.object, one) END

-- :schema-exists
SELECT pg_catalog.to_regnamespace('{schema}') IS NOT NULL

-- :migrated
INSERT INTO {schema}.migration (version, name, checksum) VALUES (?, ?, ?)

-- :ledger-exists
SELECT pg_catalog.to_regclass('{schema}.migration') IS NOT NULL

-- A transaction of an action begins with a savepoint, which shows at the end that it is still the same transaction.
-- :begin-action
SAVEPOINT idem_action

-- :back-to-begin-of-action
ROLLBACK TO SAVEPOINT idem_action

-- :end-action
RELEASE SAVEPOINT idem_action

-- For a connection of the ledger. With a stricter isolation, a heartbeat during the action would make the settle fail.
-- :read-committed
SET TRANSACTION ISOLATION LEVEL READ COMMITTED

-- Before rows of a caller's connection and entries are in one transaction: its database, told apart from those of other
-- servers, and null where it has no ledger; the isolation; the lock timeout. Commits must reach the disk, whatever the
-- settings of the connection. As a number, since the text of a time depends on the time zone of the connection.
-- :join
SELECT pg_catalog.to_regclass('{schema}.entries')::pg_catalog.oid {||} ' ' {||} d.oid {||} ' ' {||}
        extract(epoch FROM pg_catalog.pg_postmaster_start_time())::numeric,
    pg_catalog.current_setting('transaction_isolation'), pg_catalog.current_setting('lock_timeout'),
    CASE WHEN pg_catalog.current_setting('synchronous_commit') {=} 'off'
    THEN pg_catalog.set_config('synchronous_commit', 'on', true) END
FROM pg_catalog.pg_database d WHERE d.datname {=} pg_catalog.current_database()
