-- Format 4: the same functions. They name the schema of each function, type and operator that they use: a session may
-- search a schema of its own before pg_catalog, and a function there could give another time. {=} means
-- OPERATOR(pg_catalog.=). No function sets a search path, since the server would no longer inline it.

CREATE OR REPLACE FUNCTION {schema}.read_clock() RETURNS timestamptz LANGUAGE sql STABLE AS $$
    SELECT pg_catalog.statement_timestamp()
$$;

CREATE OR REPLACE FUNCTION {schema}.write_clock() RETURNS timestamptz LANGUAGE sql VOLATILE AS $$
    SELECT pg_catalog.clock_timestamp()
$$;

CREATE OR REPLACE FUNCTION {schema}.micros(number bigint) RETURNS interval LANGUAGE sql IMMUTABLE AS $$
    SELECT number {*} interval '1 microsecond'
$$;

CREATE OR REPLACE FUNCTION {schema}.address_lock(scope text, operation text, key text)
RETURNS bigint LANGUAGE sql IMMUTABLE AS $$
    SELECT pg_catalog.hashtextextended(
        key, pg_catalog.hashtextextended(operation, pg_catalog.hashtextextended(scope, 7301)))
$$;

CREATE OR REPLACE FUNCTION {schema}.insert_entry(
    scope text, operation text, key text, version bigint, state text, lease bigint, due bigint, labels text,
    document text, body bytea, patience text)
RETURNS {schema}.inserted LANGUAGE plpgsql AS $$
#variable_conflict use_variable
DECLARE
    new {schema}.inserted;
BEGIN
    PERFORM pg_catalog.set_config('lock_timeout', patience, true),
        pg_catalog.pg_advisory_xact_lock({schema}.address_lock(scope, operation, key));
    new.claimed := {schema}.write_clock();
    INSERT INTO {schema}.entries AS e (
        scope, operation, key, state, fence, version, claimed, lease, due, labels, document, body)
    VALUES (
        scope, operation, key, state, pg_catalog.nextval('{schema}.fence'), version, new.claimed,
        new.claimed {+} {schema}.micros(lease), new.claimed {+} {schema}.micros(due), labels::pg_catalog.jsonb,
        document, body)
    ON CONFLICT DO NOTHING
    RETURNING e.fence INTO new.fence;
    RETURN new;
END $$;
