-- Format 1: the tables. {schema} stands for the schema of the ledger.
--
-- Instants are microseconds since 1970 by the server's clock, durations microseconds. Small structures that nobody
-- searches are JSON text. Every name is qualified: nothing here depends on a session's settings.

-- Grows with every grant and never goes back: not after a rollback, a forget, a purge or a stepped clock.
CREATE SEQUENCE {schema}.fence AS bigint CACHE 1;

-- Names compare byte by byte, whatever the language of the database. What an entry is judged or found by has columns of
-- its own. What it only carries along is packed: a server's work on a row grows with its columns, not with its bytes. Two
-- of the packed texts are made by whoever claims or settles, and cost the server nothing. {schema}.entries has the
-- parts by their names. What a completion changes comes last, as what comes before need not be logged again.
CREATE TABLE {schema}.entry (
    fence      bigint NOT NULL,
    claimed    bigint NOT NULL,
    lease      bigint NOT NULL,
    replays    bigint NOT NULL DEFAULT 0,
    -- When a purge is to look at the entry next; null for never. A claim guesses it, and where the guess was good to a
    -- minute it stays: then a completion changes no column that is indexed, and no index is written a second time.
    due        bigint,
    -- True for what people look for among much that is complete: what has failed, is in doubt, or has been in progress
    -- for a while. What was granted after the last sweep may be in progress too.
    notable    boolean NOT NULL DEFAULT false,
    key        text COLLATE "C" NOT NULL,
    operation  text COLLATE "C" NOT NULL,
    scope      text COLLATE "C" NOT NULL,
    -- A {schema}.granted.
    granted    text NOT NULL,
    -- in_progress, complete, failed, in_doubt or expired; as it was written, not as it may have lapsed since.
    state      text COLLATE "C" NOT NULL,
    expires    bigint,
    -- A {schema}.settlement; null until there was one.
    settlement text,
    body       bytea,
    -- A {schema}.rare, which few entries have.
    rare       text,
    -- [[at, fence, event, detail], …]
    trail      jsonb,
    -- The key comes first: it tells most, and it alone is what people ask for.
    PRIMARY KEY (key, operation, scope)
);

CREATE UNIQUE INDEX entry_fence ON {schema}.entry (fence);
-- For purges, and for those who look for what is notable: little among much that is not.
CREATE INDEX entry_due ON {schema}.entry (notable, due);

-- Which entries have a label: the number of its name and value, and the fence of the entry, newest first when read from
-- the end. An index of labels on the entries would cost those that have none, too.
CREATE TABLE {schema}.label (
    label bigint NOT NULL,
    fence bigint NOT NULL,
    PRIMARY KEY (label, fence)
);

-- The texts that entries hold are values of the next three types. Whoever changes one of these types has to write all
-- those texts anew, and to rename the function take, so that older programs are refused instead of writing them as before.

-- What a claim has brought.
CREATE TYPE {schema}.granted AS (
    attempt_id  text,
    attempt     integer,
    -- SHA-256 in hex.
    identity    text,
    content     text,
    owner       text,
    owner_host  text,
    owner_pid   bigint,
    owner_start bigint,
    -- For how long it may act, counted from the claim.
    time_limit  bigint,
    staged      boolean,
    -- ["scope","operation","key"]
    parent      text,
    -- {"name":"value"}
    labels      text,
    -- How the newest attempt began, where the trail does not tell it yet: most entries begin and end once, and have no
    -- trail of their own.
    began       text,
    -- Where the entry was made by an earlier claim than the newest; else null.
    created     bigint,
    -- The fence of the last attempt that was allowed to act, where that is not the newest; else null.
    acted       bigint
);

-- How an attempt ended, but for the bytes of its result.
CREATE TYPE {schema}.settlement AS (
    -- completed, failed, not_executed or doubtful.
    outcome         text,
    effect          text,
    kept            boolean,
    keep            bigint,
    tombstone       bigint,
    -- Why a result is not there, or what shows that nothing was executed.
    reason          text,
    failure_type    text,
    failure_message text,
    media_type      text,
    codec           text,
    encoding        text,
    -- As began.
    ended           text,
    -- Where it can't be told by when the entry expires; else null.
    settled         bigint
);

CREATE TYPE {schema}.rare AS (
    -- [{"name":"charging"},{"name":"started","host":"…","pid":1,"start":2}], and whether a child is among them.
    marks       text,
    child       boolean,
    doubt       text,
    doubt_since bigint
);

-- An entry with all its parts.
CREATE TYPE {schema}.whole AS (
    key             text COLLATE "C",
    operation       text COLLATE "C",
    scope           text COLLATE "C",
    fence           bigint,
    state           text COLLATE "C",
    attempt         integer,
    replays         bigint,
    created         bigint,
    claimed         bigint,
    settled         bigint,
    expires         bigint,
    due             bigint,
    notable         boolean,
    identity        text,
    content         text,
    parent          text,
    labels          text,
    attempt_id      text,
    owner           text,
    owner_host      text,
    owner_pid       bigint,
    owner_start     bigint,
    lease           bigint,
    acted           bigint,
    act_until       bigint,
    staged          boolean,
    marks           text,
    child           boolean,
    doubt           text,
    doubt_since     bigint,
    outcome         text,
    effect          text,
    kept            boolean,
    keep            bigint,
    tombstone       bigint,
    reason          text,
    failure_type    text,
    failure_message text,
    media_type      text,
    codec           text,
    encoding        text,
    body            bytea,
    began           text,
    ended           text,
    trail           jsonb
);

-- One row: everything that was granted with this fence or a lower one has been settled or is notable. And up to which
-- fence the next sweep goes: the highest that was to be seen at that time, before that transaction.
CREATE TABLE {schema}.swept (
    one     boolean PRIMARY KEY DEFAULT true CHECK (one),
    upto    bigint NOT NULL,
    next    bigint NOT NULL,
    at      bigint NOT NULL,
    horizon xid8 NOT NULL
);

INSERT INTO {schema}.swept (upto, next, at, horizon) VALUES (0, 0, 0, '0');

-- The trails of forgotten entries, and until when they are kept.
CREATE TABLE {schema}.forgotten (
    key       text COLLATE "C" NOT NULL,
    operation text COLLATE "C" NOT NULL,
    scope     text COLLATE "C" NOT NULL,
    fence     bigint NOT NULL,
    due       bigint NOT NULL,
    trail     jsonb NOT NULL,
    PRIMARY KEY (key, operation, scope, fence)
);

CREATE INDEX forgotten_due ON {schema}.forgotten (due);

-- Who waits for which entry, so that only changes somebody waits for are announced. Not worth a disk: after a crash
-- of the server nobody is listening any more.
CREATE UNLOGGED TABLE {schema}.waiting (
    key       text COLLATE "C" NOT NULL,
    operation text COLLATE "C" NOT NULL,
    scope     text COLLATE "C" NOT NULL,
    listener  text NOT NULL,
    until     bigint NOT NULL,
    PRIMARY KEY (key, operation, scope, listener)
);

-- What the asker knows of the processes of an entry, which the server can't: of the entry with this fence and so many
-- marks, whether its owner is known to be dead and whether a child it started is known to live.
CREATE TYPE {schema}.judgement AS (
    fence       bigint,
    marks       integer,
    owner_dead  boolean,
    child_lives boolean
);
