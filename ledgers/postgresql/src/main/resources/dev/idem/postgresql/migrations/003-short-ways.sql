-- Format 3: a short way for the claim of a key that nobody has, which is what most claims are. What is found instead
-- is left to the long way, in the same call.

-- The one text that it answers with begins with how it ended: G granted afresh, and the fence follows; C changed or
-- K kept, and the entry follows. The time it judged by comes first. What the claimer is and says comes as one array,
-- and so does what only the long way asks for: every single parameter costs time.
--   p_claimer  attempt id, identity, content, parent, labels, owner, its host, pid and start
--   p_rest     take-over, grace, lock timeout
CREATE FUNCTION {schema}.take(
    p_absent boolean, p_scope text, p_operation text, p_key text, p_claimer text[], p_lease bigint,
    p_time_limit bigint, p_staged boolean, p_rest text[])
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
            p_key, p_operation, p_scope, number, 'in_progress', 1, at, at, p_claimer[2], p_claimer[3], p_claimer[4],
            p_claimer[5]::jsonb, p_claimer[1], p_claimer[6], p_claimer[7], p_claimer[8]::bigint,
            p_claimer[9]::bigint, at + p_lease, number, at + p_time_limit, p_staged, 'granted')
        ON CONFLICT DO NOTHING;
        IF FOUND THEN
            RETURN at || 'G' || number;
        END IF;
    END IF;
    SELECT * INTO c FROM {schema}.claim(
        p_claimer[1], p_scope, p_operation, p_key, p_claimer[2], p_claimer[3], p_claimer[4], p_claimer[5]::jsonb,
        p_claimer[6], p_claimer[7], p_claimer[8]::bigint, p_claimer[9]::bigint, p_lease, p_time_limit, p_staged,
        p_rest[1], p_rest[2]::bigint, NULL, p_rest[3]);
    RETURN c.at || CASE WHEN c.changed THEN 'C' ELSE 'K' END || c.entry;
END $$;
