-- Format 2: the steps of the ledger, each one call and one transaction. They follow dev.idem.ledger.StateMachine.
--
-- A function that changes an entry answers with the time it judged by, whether it changed anything, and the entry: as
-- one text, since every single column of an answer costs time, without its trail, and with the bytes of its result
-- beside it.

-- The clock: microseconds since 1970, which a double holds exactly until the year 2255. (As a numeric, which extract
-- gives, it would take three times as long.)
CREATE FUNCTION {schema}.idem_now() RETURNS bigint LANGUAGE sql VOLATILE AS $$
    SELECT (date_part('epoch', clock_timestamp()) * 1000000)::bigint
$$;

-- The same, of when the statement came in: for one that needs it several times and judges nothing by it.
CREATE FUNCTION {schema}.idem_came() RETURNS bigint LANGUAGE sql STABLE AS $$
    SELECT (date_part('epoch', statement_timestamp()) * 1000000)::bigint
$$;

-- The number of the lock on an address, under which a fence is drawn for it.
CREATE FUNCTION {schema}.address_lock(scope text, operation text, key text) RETURNS bigint LANGUAGE sql IMMUTABLE AS $$
    SELECT hashtextextended(key, hashtextextended(operation, hashtextextended(scope, 7301)))
$$;

-- The number of a label, by which entries are found that have it.
CREATE FUNCTION {schema}.label_number(name text, value text) RETURNS bigint LANGUAGE sql IMMUTABLE AS $$
    SELECT hashtextextended(value, hashtextextended(name, 7304))
$$;

-- An entry with all its parts.
CREATE FUNCTION {schema}.whole(e {schema}.entry) RETURNS SETOF {schema}.whole ROWS 1 LANGUAGE sql STABLE AS $$
    SELECT e.key, e.operation, e.scope, e.fence, e.state, (p.g).attempt, e.replays, coalesce((p.g).created, e.claimed),
        e.claimed, coalesce((p.s).settled, e.expires - (p.s).keep), e.expires, e.due, e.notable,
        (p.g).identity, (p.g).content, (p.g).parent, (p.g).labels, (p.g).attempt_id,
        (p.g).owner, (p.g).owner_host, (p.g).owner_pid, (p.g).owner_start,
        e.lease, coalesce((p.g).acted, e.fence), e.claimed + (p.g).time_limit, (p.g).staged,
        (p.r).marks, coalesce((p.r).child, false), (p.r).doubt, (p.r).doubt_since,
        (p.s).outcome, (p.s).effect, (p.s).kept, (p.s).keep, (p.s).tombstone, (p.s).reason,
        (p.s).failure_type, (p.s).failure_message, (p.s).media_type, (p.s).codec, (p.s).encoding, e.body,
        (p.g).began, (p.s).ended, e.trail
    FROM (SELECT e.granted::{schema}.granted AS g, e.settlement::{schema}.settlement AS s, e.rare::{schema}.rare AS r
        OFFSET 0) p
$$;

-- For people.
CREATE VIEW {schema}.entries AS SELECT w.* FROM {schema}.entry e CROSS JOIN LATERAL {schema}.whole(e) w;

-- One line of a trail, as an array that is appended.
CREATE FUNCTION {schema}.trail_line(at bigint, fence bigint, event text, detail text) RETURNS jsonb
LANGUAGE sql IMMUTABLE AS $$
    SELECT jsonb_build_array(jsonb_build_array(at, fence, event, detail))
$$;

-- The trail with what only the entry told. A long one keeps its first lines and its newest.
CREATE FUNCTION {schema}.told(e {schema}.whole) RETURNS jsonb LANGUAGE plpgsql STABLE AS $$
DECLARE
    lines jsonb := coalesce(e.trail, '[]');
BEGIN
    IF e.began IS NOT NULL THEN
        lines := lines || {schema}.trail_line(e.claimed, e.fence, e.began, e.owner || ', attempt ' || e.attempt);
    END IF;
    IF e.ended IS NOT NULL THEN
        lines := lines || {schema}.trail_line(e.settled, e.fence, e.ended, CASE
            WHEN e.ended = 'resolved' THEN 'as ' || e.state || coalesce(', ' || CASE e.outcome
                WHEN 'not_executed' THEN e.reason
                WHEN 'completed' THEN e.failure_message END, '')
            WHEN e.outcome = 'completed' AND e.media_type IS NULL
                THEN e.effect || ', no result to replay: ' || e.reason
            WHEN e.outcome = 'completed' THEN e.effect
            WHEN e.outcome = 'not_executed' THEN e.reason
            ELSE coalesce(e.failure_type, '') END);
    END IF;
    WHILE jsonb_array_length(lines) > 500 LOOP
        lines := lines - 20;
    END LOOP;
    RETURN lines;
END $$;

-- The trail with a lapse that nobody had written down.
CREATE FUNCTION {schema}.told_with_lapse(e {schema}.whole, doubt text, at bigint) RETURNS jsonb
LANGUAGE sql STABLE AS $$
    SELECT {schema}.told(e) || CASE
        WHEN e.state <> 'in_progress' THEN '[]'
        WHEN doubt IS NULL THEN {schema}.trail_line(at, e.fence, 'failed', 'it ended before its first mark')
        ELSE {schema}.trail_line(at, e.fence, 'in_doubt', doubt) END
$$;

-- Whether a judgement is about the entry as it is.
CREATE FUNCTION {schema}.judged(e {schema}.whole, j {schema}.judgement) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
    SELECT j.fence IS NOT NULL AND e.fence = j.fence
        AND j.marks = CASE WHEN e.marks IS NULL THEN 0 ELSE json_array_length(e.marks::json) END
$$;

-- The entry as it counts now. Its state is null where only the asker can tell, and 'absent' when it has expired.
CREATE FUNCTION {schema}.seen(e {schema}.whole, at bigint, j {schema}.judgement) RETURNS {schema}.whole
LANGUAGE plpgsql STABLE AS $$
DECLARE
    known boolean;
BEGIN
    IF e.state = 'in_progress' THEN
        known := {schema}.judged(e, j);
        IF at < e.lease AND NOT (known AND j.owner_dead) THEN
            RETURN e;
        ELSIF e.staged AND e.marks IS NULL AND e.doubt IS NULL THEN
            e.state := 'failed';
            e.kept := false;
        ELSIF NOT known AND (e.child OR e.owner_host IS NOT NULL) THEN
            e.state := NULL;
        ELSIF NOT (known AND j.child_lives) THEN
            e.state := 'in_doubt';
            IF e.doubt IS NULL THEN
                e.doubt := CASE WHEN known AND j.owner_dead
                    THEN 'the process that ran it, ' || e.owner || ', ended without settling it'
                    ELSE 'the lease of ' || e.owner || ' ran out without a heartbeat' END;
                -- When a process ended within its lease is not known: at the earliest when it was granted the key.
                e.doubt_since := CASE WHEN at < e.lease THEN e.claimed ELSE e.lease END;
            END IF;
        END IF;
    ELSIF e.expires <= at THEN
        e.state := CASE WHEN at < e.expires + e.tombstone THEN 'expired' ELSE 'absent' END;
    END IF;
    RETURN e;
END $$;

-- Writes an entry over the one at its address, which the caller has locked, and says what was written.
CREATE FUNCTION {schema}.put(e {schema}.whole) RETURNS {schema}.entry LANGUAGE sql AS $$
    UPDATE {schema}.entry SET
        fence = e.fence, claimed = e.claimed, lease = e.lease, replays = e.replays, due = e.due, notable = e.notable,
        granted = ROW(
            e.attempt_id, e.attempt, e.identity, e.content, e.owner, e.owner_host, e.owner_pid, e.owner_start,
            e.act_until - e.claimed, e.staged, e.parent, e.labels, e.began, nullif(e.created, e.claimed),
            nullif(e.acted, e.fence))::{schema}.granted::text,
        state = e.state, expires = e.expires,
        settlement = CASE WHEN e.outcome IS NOT NULL OR e.ended IS NOT NULL THEN ROW(
            e.outcome, e.effect, e.kept, e.keep, e.tombstone, e.reason, e.failure_type, e.failure_message,
            e.media_type, e.codec, e.encoding, e.ended,
            CASE WHEN e.settled = e.expires - e.keep THEN NULL ELSE e.settled END)::{schema}.settlement::text END,
        body = e.body,
        rare = CASE WHEN e.marks IS NOT NULL OR e.doubt IS NOT NULL THEN ROW(
            e.marks, e.child, e.doubt, e.doubt_since)::{schema}.rare::text END,
        trail = e.trail
    WHERE key = e.key AND operation = e.operation AND scope = e.scope
    RETURNING *
$$;

-- Makes an entry known by its labels.
CREATE FUNCTION {schema}.label(p_fence bigint, p_labels text) RETURNS void LANGUAGE sql AS $$
    INSERT INTO {schema}.label (label, fence)
    SELECT {schema}.label_number(l.key, l.value), p_fence FROM json_each_text(p_labels::json) l
    ON CONFLICT DO NOTHING
$$;

-- Ends that.
CREATE FUNCTION {schema}.unlabel(p_fence bigint, p_labels text) RETURNS void LANGUAGE sql AS $$
    -- As an array, of which it is known that it has few: else all labels are read, as long as they are not very many.
    DELETE FROM {schema}.label x WHERE x.fence = p_fence AND x.label = ANY (ARRAY(
        SELECT {schema}.label_number(l.key, l.value) FROM json_each_text(p_labels::json) l))
$$;

-- Wakes those who wait for an entry. NOTIFY makes commits queue behind each other, so it is for them alone.
CREATE FUNCTION {schema}.announce(p_scope text, p_operation text, p_key text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    IF EXISTS (SELECT FROM {schema}.waiting w
            WHERE w.key = p_key AND w.operation = p_operation AND w.scope = p_scope) THEN
        PERFORM pg_notify('{channel}', json_build_array(p_scope, p_operation, p_key)::text);
    END IF;
END $$;

-- When a purge is to look at what is ripe at a given time: as it was guessed, where that is not much too early.
CREATE FUNCTION {schema}.due(guess bigint, ripe bigint) RETURNS bigint LANGUAGE sql IMMUTABLE AS $$
    SELECT CASE WHEN guess BETWEEN ripe - 60000000 AND ripe THEN guess ELSE ripe END
$$;

-- Makes an entry one that has ended, and changes nothing else.
CREATE FUNCTION {schema}.ended(e {schema}.whole, how {schema}.settlement, body bytea, at bigint) RETURNS {schema}.whole
LANGUAGE plpgsql STABLE AS $$
BEGIN
    IF how.outcome = 'not_executed' AND e.acted = e.fence AND e.doubt IS NOT NULL THEN
        -- Only the ticket of a probe can know what the doubted attempt has done.
        how.failure_type := 'not_executed';
        how.failure_message := how.reason;
        how.reason := NULL;
        how.outcome := 'doubtful';
    ELSIF how.outcome = 'failed' AND e.doubt IS NOT NULL THEN
        -- A failure after a take-over says nothing of the earlier attempt: doubt is sticky.
        how.outcome := 'doubtful';
    END IF;
    e.settled := at;
    IF how.outcome = 'doubtful' THEN
        IF how.kept AND e.doubt IS NULL THEN
            -- The attempt was seen to end. An earlier one, of which the doubt is, could still act.
            e.act_until := least(e.act_until, at);
        END IF;
        how.kept := false;
        how.keep := NULL;
        how.tombstone := NULL;
        e.state := 'in_doubt';
        e.expires := NULL;
        IF e.doubt IS NULL THEN
            e.doubt := 'the action ended with ' || how.failure_type;
            e.doubt_since := at;
        END IF;
    ELSE
        e.state := CASE how.outcome WHEN 'completed' THEN 'complete' ELSE 'failed' END;
        e.expires := at + how.keep;
        e.doubt := NULL;
        e.doubt_since := NULL;
        IF how.outcome = 'not_executed' THEN
            e.acted := e.fence;
        END IF;
    END IF;
    e.due := e.expires;
    e.notable := e.state <> 'complete';
    e.outcome := how.outcome;
    e.effect := how.effect;
    e.kept := how.kept;
    e.keep := how.keep;
    e.tombstone := how.tombstone;
    e.reason := how.reason;
    e.failure_type := how.failure_type;
    e.failure_message := how.failure_message;
    e.media_type := how.media_type;
    e.codec := how.codec;
    e.encoding := how.encoding;
    e.body := body;
    RETURN e;
END $$;

-- An entry as one text.
CREATE FUNCTION {schema}.packed(e {schema}.entry) RETURNS text LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
    IF e.body IS NOT NULL OR e.trail IS NOT NULL THEN
        e.body := NULL;
        e.trail := NULL;
    END IF;
    RETURN e::text;
END $$;

-- The time and the entry at an address, as one text with the bytes of its result in it; null where those are many.
CREATE FUNCTION {schema}.look(p_scope text, p_operation text, p_key text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    e {schema}.entry;
BEGIN
    SELECT * INTO e FROM {schema}.entry x
    WHERE x.key = p_key AND x.operation = p_operation AND x.scope = p_scope;
    IF NOT FOUND OR octet_length(e.body) >= 2000 THEN
        RETURN NULL;
    END IF;
    e.trail := NULL;
    RETURN {schema}.idem_now() || ' ' || e::text;
END $$;

-- Takes a key that nobody has, and answers with the time and its fence; with the time and the entry when somebody has it
-- after all, and with null when it is to be read anew. (An assignment where statements of their own would do: those cost
-- more than the lock.)
CREATE FUNCTION {schema}.take(
    p_scope text, p_operation text, p_key text, p_granted text, p_labels text, p_lease bigint, p_keep bigint,
    p_lock_timeout text)
RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    number bigint;
    at bigint;
BEGIN
    -- A fence is drawn under a lock on the address, so that the one drawn later is the one granted later, also when an entry
    -- comes and goes meanwhile; and by a transaction that has its number, so that a sweep can wait for it. An entry that a
    -- transaction is about to settle is waited for, but not for long.
    number := CASE WHEN set_config('lock_timeout', p_lock_timeout, true) IS NOT NULL THEN
        CASE WHEN pg_advisory_xact_lock({schema}.address_lock(p_scope, p_operation, p_key)) IS NOT NULL THEN
            CASE WHEN pg_current_xact_id() IS NOT NULL THEN nextval('{schema}.fence') END END END;
    at := {schema}.idem_now();
    INSERT INTO {schema}.entry (fence, claimed, lease, due, key, operation, scope, granted, state)
    VALUES (number, at, at + p_lease, at + p_keep, p_key, p_operation, p_scope, p_granted, 'in_progress')
    ON CONFLICT (key, operation, scope) DO NOTHING;
    IF FOUND THEN
        IF p_labels IS NOT NULL THEN
            PERFORM {schema}.label(number, p_labels);
        END IF;
        RETURN at || ' ' || number;
    END IF;
    RETURN {schema}.look(p_scope, p_operation, p_key);
END $$;

-- Takes the key of an entry that is there, or says who has it. It grants only what the server can know: where something
-- hangs on processes, the entry is answered as it is, and the asker asks again with its judgement.
CREATE FUNCTION {schema}.claim(
    p_scope text, p_operation text, p_key text, p_granted {schema}.granted, p_lease bigint, p_take_over text,
    p_grace bigint, p_judgement {schema}.judgement, p_lock_timeout text,
    OUT at bigint, OUT changed boolean, OUT entry text, OUT body bytea)
LANGUAGE plpgsql AS $$
DECLARE
    r {schema}.entry;
    e {schema}.whole;
    locked boolean := false;
    s {schema}.whole;
    probing boolean;
BEGIN
    <<step>>
    BEGIN
        changed := false;
        LOOP
            IF locked THEN
                PERFORM set_config('lock_timeout', p_lock_timeout, true);
                SELECT * INTO r FROM {schema}.entry x
                WHERE x.key = p_key AND x.operation = p_operation AND x.scope = p_scope FOR UPDATE;
            ELSE
                SELECT * INTO r FROM {schema}.entry x
                WHERE x.key = p_key AND x.operation = p_operation AND x.scope = p_scope;
            END IF;
            IF NOT FOUND THEN
                -- Gone since it was looked at: it is asked for anew, as a new key.
                EXIT step;
            END IF;
            at := {schema}.idem_now();
            IF r.state = 'complete' AND at < r.expires THEN
                EXIT step;
            END IF;
            SELECT * INTO e FROM {schema}.whole(r);
            s := {schema}.seen(e, at, p_judgement);
            IF s.state = 'expired' THEN
                EXIT step;
            ELSIF e.state = 'in_progress' AND e.attempt_id = p_granted.attempt_id THEN
                -- The answer was lost. The lease starts anew, as the claimer counts it from this request.
                NULL;
            ELSIF s.state IS NULL OR s.state = 'in_progress'
                    OR s.state <> 'absent' AND s.identity <> p_granted.identity
                    OR s.state = 'failed' AND s.kept THEN
                EXIT step;
            ELSIF s.state = 'in_doubt' AND (
                    e.child AND (NOT {schema}.judged(e, p_judgement) OR p_judgement.child_lives)
                    OR p_take_over = 'none'
                    OR p_take_over = 'probe' AND at < s.act_until + p_grace) THEN
                EXIT step;
            END IF;
            EXIT WHEN locked;
            locked := true;
        END LOOP;

        changed := true;
        IF e.state = 'in_progress' AND e.attempt_id = p_granted.attempt_id THEN
            UPDATE {schema}.entry x SET lease = at + p_lease
            WHERE x.key = p_key AND x.operation = p_operation AND x.scope = p_scope RETURNING x.* INTO r;
            EXIT step;
        END IF;

        probing := s.state = 'in_doubt' AND p_take_over = 'probe';
        s.trail := {schema}.told_with_lapse(e, s.doubt, at);
        s.fence := nextval('{schema}.fence');
        IF s.state = 'absent' THEN
            s.created := at;
            s.attempt := 0;
            s.replays := 0;
            s.trail := NULL;
            s.identity := NULL;
            s.content := NULL;
        END IF;
        IF probing AND s.identity IS NULL OR NOT probing AND (p_granted.identity IS NOT NULL OR s.state = 'absent') THEN
            s.identity := p_granted.identity;
            s.content := p_granted.content;
        END IF;
        IF NOT probing THEN
            s.attempt := s.attempt + 1;
            s.parent := p_granted.parent;
            s.labels := p_granted.labels;
            s.acted := s.fence;
            s.act_until := CASE WHEN s.state = 'in_doubt' THEN greatest(at + p_granted.time_limit, s.act_until)
                ELSE at + p_granted.time_limit END;
            s.staged := p_granted.staged;
            IF s.state <> 'in_doubt' THEN
                s.marks := NULL;
                s.child := false;
                s.doubt := NULL;
                s.doubt_since := NULL;
            END IF;
        END IF;
        s.began := CASE WHEN probing THEN 'probing' WHEN s.state = 'in_doubt' THEN 'rerun' ELSE 'granted' END;
        s.ended := NULL;
        s.state := 'in_progress';
        s.attempt_id := p_granted.attempt_id;
        s.owner := p_granted.owner;
        s.owner_host := p_granted.owner_host;
        s.owner_pid := p_granted.owner_pid;
        s.owner_start := p_granted.owner_start;
        s.lease := at + p_lease;
        s.claimed := at;
        s.settled := NULL;
        s.expires := NULL;
        s.due := NULL;
        s.notable := false;
        s.outcome := NULL;
        s.effect := NULL;
        s.kept := NULL;
        s.keep := NULL;
        s.tombstone := NULL;
        s.reason := NULL;
        s.failure_type := NULL;
        s.failure_message := NULL;
        s.media_type := NULL;
        s.codec := NULL;
        s.encoding := NULL;
        s.body := NULL;
        r := {schema}.put(s);
        PERFORM {schema}.unlabel(e.fence, e.labels), {schema}.label(s.fence, s.labels);
        PERFORM {schema}.announce(s.scope, s.operation, s.key);
    END;
    body := r.body;
    entry := {schema}.packed(r);
END $$;

-- Ends an attempt. The result is not sent back: whoever settles has it.
CREATE FUNCTION {schema}.settle(
    p_scope text, p_operation text, p_key text, p_fence bigint, p_how {schema}.settlement, p_body bytea,
    OUT at bigint, OUT changed boolean, OUT entry text, OUT body bytea)
LANGUAGE plpgsql AS $$
DECLARE
    r {schema}.entry;
    e {schema}.whole;
    guess bigint;
BEGIN
    SELECT * INTO r FROM {schema}.entry x
    WHERE x.key = p_key AND x.operation = p_operation AND x.scope = p_scope FOR UPDATE;
    at := {schema}.idem_now();
    SELECT * INTO e FROM {schema}.whole(r);
    -- A completion of whoever acted last is welcome, in doubt or not.
    changed := coalesce(e.fence = p_fence AND e.state = 'in_progress'
        OR p_how.outcome = 'completed' AND e.acted = p_fence AND e.state IN ('in_progress', 'in_doubt'), false);
    IF changed THEN
        IF e.ended IS NOT NULL THEN
            e.trail := {schema}.told(e);
            e.began := NULL;
        END IF;
        guess := e.due;
        e := {schema}.ended(e, p_how, p_body, at);
        IF e.state = 'complete' THEN
            e.due := {schema}.due(guess, e.expires);
        END IF;
        e.ended := e.state;
        r := {schema}.put(e);
        r.body := NULL;
        PERFORM {schema}.announce(e.scope, e.operation, e.key);
    END IF;
    body := r.body;
    entry := {schema}.packed(r);
END $$;

-- Adds a mark to a staged entry whose ticket is current and allowed to act.
CREATE FUNCTION {schema}.mark(
    p_scope text, p_operation text, p_key text, p_fence bigint, p_mark text, p_child boolean, p_detail text)
RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
    r {schema}.entry;
    e {schema}.whole;
BEGIN
    SELECT * INTO r FROM {schema}.entry x
    WHERE x.key = p_key AND x.operation = p_operation AND x.scope = p_scope
        AND x.state = 'in_progress' AND x.fence = p_fence FOR UPDATE;
    SELECT * INTO e FROM {schema}.whole(r);
    IF e.acted = p_fence AND e.staged THEN
        e.trail := {schema}.told(e) || {schema}.trail_line({schema}.idem_now(), e.fence, 'marked', p_detail);
        e.began := NULL;
        e.ended := NULL;
        e.marks := CASE WHEN e.marks IS NULL THEN p_mark ELSE left(e.marks, -1) || ',' || substr(p_mark, 2) END;
        e.child := e.child OR p_child;
        PERFORM {schema}.put(e);
        RETURN true;
    END IF;
    RETURN false;
END $$;

-- Settles by a person's word.
CREATE FUNCTION {schema}.resolve(
    p_scope text, p_operation text, p_key text, p_fence bigint, p_how {schema}.settlement, p_body bytea,
    p_judgement {schema}.judgement,
    OUT at bigint, OUT changed boolean, OUT entry text, OUT body bytea)
LANGUAGE plpgsql AS $$
DECLARE
    r {schema}.entry;
    e {schema}.whole;
    s {schema}.whole;
BEGIN
    <<step>>
    BEGIN
        changed := false;
        SELECT * INTO r FROM {schema}.entry x
        WHERE x.key = p_key AND x.operation = p_operation AND x.scope = p_scope FOR UPDATE;
        at := {schema}.idem_now();
        IF NOT FOUND OR r.fence <> p_fence THEN
            EXIT step;
        END IF;
        SELECT * INTO e FROM {schema}.whole(r);
        s := {schema}.seen(e, at, p_judgement);
        -- What has failed did nothing, as its owner may have said only now, and a failure that is kept stays so.
        IF s.state IS NULL OR s.state NOT IN ('failed', 'in_doubt')
            OR (s.state = 'failed' AND p_how.outcome IN ('failed', 'not_executed')) THEN
            EXIT step;
        END IF;
        changed := true;
        s.trail := {schema}.told_with_lapse(e, s.doubt, at);
        s.fence := nextval('{schema}.fence');
        s.acted := s.fence;
        IF p_how.outcome <> 'doubtful' THEN
            s.doubt := NULL;
            s.doubt_since := NULL;
        END IF;
        s := {schema}.ended(s, p_how, p_body, at);
        s.began := NULL;
        s.ended := 'resolved';
        r := {schema}.put(s);
        PERFORM {schema}.unlabel(e.fence, e.labels), {schema}.label(s.fence, s.labels);
        PERFORM {schema}.announce(s.scope, s.operation, s.key);
    END;
    body := r.body;
    entry := {schema}.packed(r);
END $$;

-- Removes an entry that somebody has seen in a state. Its trail stays for a while. Under the lock under which a fence is
-- drawn: a claim that found no entry draws its fence before it writes; if one could come and go meanwhile, that fence
-- would be lower than those it had.
CREATE FUNCTION {schema}.forget(
    p_scope text, p_operation text, p_key text, p_fence bigint, p_seen text, p_keep_trail bigint,
    p_judgement {schema}.judgement, p_lock_timeout text,
    OUT at bigint, OUT changed boolean, OUT entry text, OUT body bytea)
LANGUAGE plpgsql AS $$
DECLARE
    r {schema}.entry;
    e {schema}.whole;
    s {schema}.whole;
BEGIN
    <<step>>
    BEGIN
        changed := false;
        -- Those who claim the address wait for the lock: it is not held while waiting for the row.
        PERFORM set_config('lock_timeout', p_lock_timeout, true);
        PERFORM pg_advisory_xact_lock({schema}.address_lock(p_scope, p_operation, p_key));
        SELECT * INTO r FROM {schema}.entry x
        WHERE x.key = p_key AND x.operation = p_operation AND x.scope = p_scope FOR UPDATE;
        at := {schema}.idem_now();
        IF NOT FOUND OR r.fence <> p_fence THEN
            EXIT step;
        END IF;
        SELECT * INTO e FROM {schema}.whole(r);
        s := {schema}.seen(e, at, p_judgement);
        -- A completion may have come late, after somebody saw a doubt and asked; a doubt, after a lapse was seen.
        IF s.state IS NULL OR s.state IN ('in_progress', 'absent')
            OR (s.outcome = 'completed' AND p_seen NOT IN ('complete', 'expired'))
            OR (s.state = 'in_doubt' AND p_seen = 'failed') THEN
            EXIT step;
        END IF;
        changed := true;
        DELETE FROM {schema}.entry x WHERE x.key = p_key AND x.operation = p_operation AND x.scope = p_scope;
        PERFORM {schema}.unlabel(e.fence, e.labels);
        INSERT INTO {schema}.forgotten (key, operation, scope, fence, due, trail)
        VALUES (e.key, e.operation, e.scope, e.fence, at + p_keep_trail,
            {schema}.told(e) || {schema}.trail_line(at, e.fence, 'forgotten', 'was ' || e.state));
        PERFORM {schema}.announce(e.scope, e.operation, e.key);
    END;
    body := r.body;
    entry := {schema}.packed(r);
END $$;

-- When a purge has something to do with an entry; null for never.
CREATE FUNCTION {schema}.ripe(e {schema}.entry) RETURNS bigint LANGUAGE sql IMMUTABLE AS $$
    SELECT CASE
        WHEN e.state IN ('complete', 'failed') THEN e.expires
        WHEN e.state = 'expired' THEN e.due END
$$;

-- How many entries a purge would remove or strip. The time is known before, so that the index serves.
CREATE FUNCTION {schema}.purgeable() RETURNS bigint LANGUAGE plpgsql STABLE AS $$
DECLARE
    at bigint := {schema}.idem_now();
BEGIN
    RETURN (SELECT count(*) FROM {schema}.entry x
        WHERE x.notable IN (false, true) AND x.due <= at AND {schema}.ripe(x) <= at);
END $$;

-- Removes some of what has expired, notable or not, or strips it to its tombstone; beginning with what is to be looked
-- at at a given time, as everything before has been removed and would only be stepped over. Says how many it has seen
-- and purged, and how far it came. What somebody else is at is left for the next time. It has the row first, and so must
-- not wait for the lock of the address.
CREATE FUNCTION {schema}.purge(
    p_notable boolean, p_from bigint, p_limit integer, OUT seen integer, OUT purged integer, OUT upto bigint)
LANGUAGE plpgsql AS $$
DECLARE
    at bigint := {schema}.idem_now();
    soon bigint := at + 60000000;
    ripe bigint;
    r {schema}.entry;
    e {schema}.whole;
BEGIN
    seen := 0;
    purged := 0;
    upto := p_from;
    -- What was settled a little after it was granted is ripe a little after it was due: it is left alone until then.
    FOR r IN SELECT * FROM {schema}.entry x
            WHERE x.notable = p_notable AND x.due >= p_from AND x.due <= at
                AND coalesce({schema}.ripe(x) NOT BETWEEN at + 1 AND soon, true)
            ORDER BY x.notable, x.due LIMIT p_limit FOR UPDATE SKIP LOCKED LOOP
        seen := seen + 1;
        upto := r.due;
        ripe := {schema}.ripe(r);
        IF ripe IS NULL OR ripe > soon THEN
            UPDATE {schema}.entry x SET due = ripe, notable = x.notable OR ripe IS NULL
            WHERE x.key = r.key AND x.operation = r.operation AND x.scope = r.scope;
            CONTINUE;
        END IF;
        SELECT * INTO e FROM {schema}.whole(r);
        IF at < e.expires + e.tombstone THEN
            e.state := 'expired';
            e.due := e.expires + e.tombstone;
            e.notable := false;
            e.doubt := NULL;
            e.doubt_since := NULL;
            IF e.outcome = 'completed' THEN
                e.reason := 'it has expired';
            END IF;
            e.media_type := NULL;
            e.codec := NULL;
            e.encoding := NULL;
            e.body := NULL;
            PERFORM {schema}.put(e);
            purged := purged + 1;
        ELSIF pg_try_advisory_xact_lock({schema}.address_lock(e.scope, e.operation, e.key)) THEN
            DELETE FROM {schema}.entry x WHERE x.key = e.key AND x.operation = e.operation AND x.scope = e.scope;
            IF e.labels IS NOT NULL THEN
                PERFORM {schema}.unlabel(e.fence, e.labels);
            END IF;
            purged := purged + 1;
        END IF;
    END LOOP;
END $$;

-- Makes notable what is still in progress of what was granted before the last round, and says whether there is more of
-- it. A claim that had drawn its fence by then has been committed if no transaction of that time is left; and a minute is
-- soon enough. Whoever holds an entry is about to change it: the next sweep begins with that one.
CREATE FUNCTION {schema}.sweep() RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
    clock bigint := {schema}.idem_now();
    highest bigint;
    s {schema}.swept;
    e record;
    last bigint;
    done bigint;
BEGIN
    SELECT * INTO s FROM {schema}.swept;
    IF NOT FOUND OR clock BETWEEN s.at AND s.at + 60000000 THEN
        RETURN false;
    END IF;
    -- Before this transaction has its number: whoever drew a lower fence and is not to be seen yet has a lower number.
    SELECT max(x.fence) INTO highest FROM {schema}.entry x;
    SELECT * INTO s FROM {schema}.swept FOR UPDATE SKIP LOCKED;
    clock := {schema}.idem_now();
    IF NOT FOUND OR clock BETWEEN s.at AND s.at + 60000000 THEN
        RETURN false;
    ELSIF s.horizon > pg_current_xact_id() THEN
        -- Brought here from another server, which had counted further.
        UPDATE {schema}.swept SET horizon = pg_current_xact_id();
        RETURN false;
    ELSIF s.horizon > pg_snapshot_xmin(pg_current_snapshot()) THEN
        RETURN false;
    END IF;
    SELECT CASE WHEN count(*) < 50000 THEN s.next ELSE max(t.fence) END INTO last
    FROM (SELECT x.fence FROM {schema}.entry x WHERE x.fence > s.upto AND x.fence <= s.next
        ORDER BY x.fence LIMIT 50000) t;
    done := last;
    FOR e IN SELECT x.key, x.operation, x.scope, x.fence FROM {schema}.entry x
            WHERE x.fence > s.upto AND x.fence <= last AND x.state = 'in_progress' AND NOT x.notable LOOP
        PERFORM FROM {schema}.entry x
        WHERE x.key = e.key AND x.operation = e.operation AND x.scope = e.scope FOR UPDATE SKIP LOCKED;
        IF FOUND THEN
            UPDATE {schema}.entry x SET notable = true
            WHERE x.key = e.key AND x.operation = e.operation AND x.scope = e.scope AND x.state = 'in_progress';
        ELSE
            done := least(done, e.fence - 1);
        END IF;
    END LOOP;
    IF done < s.next THEN
        UPDATE {schema}.swept SET upto = done;
        RETURN done = last;
    END IF;
    UPDATE {schema}.swept SET
        upto = done, next = greatest(s.next, highest), at = clock, horizon = pg_current_xact_id();
    RETURN false;
END $$;

-- Removes some of the trails of what was forgotten, and of those who seem to wait.
CREATE FUNCTION {schema}.purge_beside(p_limit integer) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    at bigint := {schema}.idem_now();
BEGIN
    DELETE FROM {schema}.forgotten WHERE ctid = ANY (ARRAY(
        SELECT f.ctid FROM {schema}.forgotten f WHERE f.due <= at ORDER BY f.due LIMIT p_limit FOR UPDATE SKIP LOCKED));
    DELETE FROM {schema}.waiting WHERE ctid = ANY (ARRAY(
        SELECT w.ctid FROM {schema}.waiting w WHERE w.until <= at LIMIT p_limit FOR UPDATE SKIP LOCKED));
END $$;
