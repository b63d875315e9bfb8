-- Format 3: what happened in an hour and no entry tells: duplicates, and the tries of entries that were purged. Each row of
-- entries tells its own tries, so no claim and no settle writes here.
CREATE TABLE hours (
    -- Its beginning, 2026-03-01T12:00:00Z.
    hour      TEXT NOT NULL,
    scope     TEXT NOT NULL,
    operation TEXT NOT NULL,
    -- duplicate; or how a try ended: complete, failed, in_doubt, in_progress.
    kind      TEXT NOT NULL,
    -- How long each completed try took; -1 for the others.
    millis    INTEGER NOT NULL,
    count     INTEGER NOT NULL,
    PRIMARY KEY (hour, operation, scope, kind, millis)
) STRICT, WITHOUT ROWID;
