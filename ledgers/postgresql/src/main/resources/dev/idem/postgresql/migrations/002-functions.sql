-- Format 2: the functions. None of them has rules: those are in dev.idem.spi.StateMachine.

-- The time by which rows are judged that a statement reads: when the statement came in, which is before it sees a row.
CREATE FUNCTION {schema}.read_clock() RETURNS timestamptz LANGUAGE sql STABLE AS $$
    SELECT statement_timestamp()
$$;

-- The time that is written. Never the start of a transaction, which may be long ago.
CREATE FUNCTION {schema}.write_clock() RETURNS timestamptz LANGUAGE sql VOLATILE AS $$
    SELECT clock_timestamp()
$$;

CREATE FUNCTION {schema}.micros(number bigint) RETURNS interval LANGUAGE sql IMMUTABLE AS $$
    SELECT number * interval '1 microsecond'
$$;

-- The number of the lock on an address. A row is inserted and deleted under this lock: without it an insert that was held up
-- after it drew its fence could follow a later grant whose row was deleted, and the fence of the address would fall.
CREATE FUNCTION {schema}.address_lock(scope text, operation text, key text) RETURNS bigint LANGUAGE sql IMMUTABLE AS $$
    SELECT hashtextextended(key, hashtextextended(operation, hashtextextended(scope, 7301)))
$$;

CREATE TYPE {schema}.inserted AS (fence bigint, claimed timestamptz);

-- Inserts a first row. Gives its fence and when it was claimed, or a null for the fence where another row is there.
CREATE FUNCTION {schema}.insert_entry(
    scope text, operation text, key text, version bigint, state text, lease bigint, due bigint, labels text,
    document text, body bytea, patience text)
RETURNS {schema}.inserted LANGUAGE plpgsql AS $$
#variable_conflict use_variable
DECLARE
    new {schema}.inserted;
BEGIN
    PERFORM set_config('lock_timeout', patience, true),
        pg_advisory_xact_lock({schema}.address_lock(scope, operation, key));
    new.claimed := {schema}.write_clock();
    INSERT INTO {schema}.entries AS e (
        scope, operation, key, state, fence, version, claimed, lease, due, labels, document, body)
    VALUES (
        scope, operation, key, state, nextval('{schema}.fence'), version, new.claimed,
        new.claimed + {schema}.micros(lease), new.claimed + {schema}.micros(due), labels::jsonb, document, body)
    ON CONFLICT DO NOTHING
    RETURNING e.fence INTO new.fence;
    RETURN new;
END $$;
