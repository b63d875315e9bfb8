-- Format 5: what happened in an hour and no entry tells: duplicates, and the tries of entries that were purged. Each row of
-- entries tells its own tries, so no claim, no settle and no transaction of a caller writes here.
CREATE TABLE {schema}.hours (
    hour      timestamptz NOT NULL,
    scope     text COLLATE "C" NOT NULL,
    operation text COLLATE "C" NOT NULL,
    -- duplicate; or how a try ended: complete, failed, in_doubt, in_progress.
    kind      text COLLATE "C" NOT NULL,
    -- How long each completed try took; -1 for the others.
    millis    bigint NOT NULL,
    -- Processes that count at the same time seldom meet in one row. The figure is the sum.
    part      integer NOT NULL,
    count     bigint NOT NULL,
    PRIMARY KEY (hour, operation, scope, kind, millis, part)
);
