-- Format 3: a short way for the claim of a key that nobody has, which is what most claims are. What is found instead
-- is left to the long way, in the same call.

-- The clock: microseconds since 1970, which a double holds exactly until the year 2255. (As a numeric, which extract
-- gives, it would take three times as long.)
CREATE OR REPLACE FUNCTION {schema}.idem_now() RETURNS bigint LANGUAGE sql VOLATILE AS $$
    SELECT (date_part('epoch', clock_timestamp()) * 1000000)::bigint
$$;

-- Answers with one text: the time it judged by, a letter, and what is new. G: granted afresh, and the fence; C: changed,
-- and the entry; K: kept, and the entry. In p_rest is what only the long way asks for, as every single parameter costs
-- time: take-over, grace and lock timeout.
CREATE FUNCTION {schema}.take(
    p_absent boolean, p_scope text, p_operation text, p_key text, p_attempt_id text, p_identity text, p_content text,
    p_parent text, p_labels jsonb, p_owner text, p_owner_host text, p_owner_pid bigint, p_owner_start bigint,
    p_lease bigint, p_time_limit bigint, p_staged boolean, p_rest text[])
RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    at bigint;
    number bigint;
    c record;
BEGIN
    IF p_absent THEN
        -- As in the long way: a fence is drawn under a lock on the address. (An expression, since a statement of its
        -- own costs more than the lock.)
        IF pg_advisory_xact_lock(
                hashtextextended(p_scope || chr(31) || p_operation || chr(31) || p_key, 7301)) IS NULL THEN
            RETURN NULL;
        END IF;
        number := nextval('{schema}.fence');
        at := {schema}.idem_now();
        INSERT INTO {schema}.entry (
            key, operation, scope, fence, state, attempt, created, claimed, identity, content, parent, labels,
            attempt_id, owner, owner_host, owner_pid, owner_start, lease, acted, act_until, staged, began)
        VALUES (
            p_key, p_operation, p_scope, number, 'in_progress', 1, at, at, p_identity, p_content, p_parent, p_labels,
            p_attempt_id, p_owner, p_owner_host, p_owner_pid, p_owner_start, at + p_lease, number,
            at + p_time_limit, p_staged, 'granted')
        ON CONFLICT (key, operation, scope) DO NOTHING;
        IF FOUND THEN
            RETURN at || 'G' || number;
        END IF;
    END IF;
    SELECT * INTO c FROM {schema}.claim(
        p_attempt_id, p_scope, p_operation, p_key, p_identity, p_content, p_parent, p_labels,
        p_owner, p_owner_host, p_owner_pid, p_owner_start, p_lease, p_time_limit, p_staged,
        p_rest[1], p_rest[2]::bigint, NULL, p_rest[3]);
    RETURN c.at || CASE WHEN c.changed THEN 'C' ELSE 'K' END || c.entry;
END $$;

-- As in format 2, but under the lock under which a fence is drawn for the address. A claim that found no entry draws its
-- fence before it writes; if an entry could come and go meanwhile, that fence would be lower than those it had.
CREATE OR REPLACE FUNCTION {schema}.forget(
    p_scope text, p_operation text, p_key text, p_fence bigint, p_keep_trail bigint,
    p_judgement {schema}.judgement,
    OUT at bigint, OUT changed boolean, OUT entry text, OUT body bytea)
LANGUAGE plpgsql AS $$
DECLARE
    e {schema}.entry;
    s {schema}.entry;
BEGIN
    <<step>>
    BEGIN
        changed := false;
        PERFORM pg_advisory_xact_lock(
            hashtextextended(p_scope || chr(31) || p_operation || chr(31) || p_key, 7301));
        SELECT * INTO e FROM {schema}.entry x
        WHERE x.key = p_key AND x.operation = p_operation AND x.scope = p_scope FOR UPDATE;
        at := {schema}.idem_now();
        IF NOT FOUND OR e.fence <> p_fence THEN
            EXIT step;
        END IF;
        s := {schema}.seen(e, at, p_judgement);
        IF s.state IS NULL OR s.state IN ('in_progress', 'absent') THEN
            EXIT step;
        END IF;
        changed := true;
        DELETE FROM {schema}.entry x WHERE x.key = p_key AND x.operation = p_operation AND x.scope = p_scope;
        INSERT INTO {schema}.forgotten (key, operation, scope, fence, due, trail)
        VALUES (e.key, e.operation, e.scope, e.fence, at + p_keep_trail,
            {schema}.told(e) || {schema}.trail_line(at, e.fence, 'forgotten', 'was ' || e.state));
        PERFORM {schema}.announce(e);
    END;
    body := e.body;
    entry := {schema}.packed(e);
END $$;

-- The same for a purge, which has the row first and so must not wait for the lock: what somebody is about to claim is
-- left for the next time.
CREATE OR REPLACE FUNCTION {schema}.purge(p_limit integer) RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
    at bigint := {schema}.idem_now();
    purged integer := 0;
    e {schema}.entry;
BEGIN
    FOR e IN SELECT * FROM {schema}.entry x WHERE x.due <= at ORDER BY x.due LIMIT p_limit FOR UPDATE SKIP LOCKED LOOP
        IF at < e.expires + e.tombstone THEN
            UPDATE {schema}.entry x SET
                state = 'expired', due = x.expires + x.tombstone, doubt = NULL, doubt_since = NULL,
                reason = CASE WHEN x.outcome = 'completed' THEN 'it has expired' ELSE x.reason END,
                media_type = NULL, codec = NULL, encoding = NULL, body = NULL
            WHERE x.key = e.key AND x.operation = e.operation AND x.scope = e.scope;
            purged := purged + 1;
        ELSIF pg_try_advisory_xact_lock(
                hashtextextended(e.scope || chr(31) || e.operation || chr(31) || e.key, 7301)) THEN
            DELETE FROM {schema}.entry x WHERE x.key = e.key AND x.operation = e.operation AND x.scope = e.scope;
            purged := purged + 1;
        END IF;
    END LOOP;
    DELETE FROM {schema}.forgotten WHERE ctid = ANY (ARRAY(
        SELECT f.ctid FROM {schema}.forgotten f WHERE f.due <= at ORDER BY f.due LIMIT p_limit FOR UPDATE SKIP LOCKED));
    DELETE FROM {schema}.waiting WHERE ctid = ANY (ARRAY(
        SELECT w.ctid FROM {schema}.waiting w WHERE w.until <= at LIMIT p_limit FOR UPDATE SKIP LOCKED));
    RETURN purged;
END $$;
