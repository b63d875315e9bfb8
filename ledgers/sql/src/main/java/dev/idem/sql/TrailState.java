package dev.idem.sql;

import org.jspecify.annotations.Nullable;

/**
 * Where an entry's trail is. What the entry itself still tells, how its newest attempt began and ended, is written to
 * the trail only when the entry changes further: most entries begin and end once, and cost no second row.
 *
 * @param origin the fence of the entry's first grant, under which its lines are kept through later grants
 * @param lines how many lines were written
 * @param began the event by which the newest attempt began; null when that line was written, or there is none
 * @param ended the event by which it ended; null when that line was written, or there is none
 */
public record TrailState(
        long origin,
        int lines,
        @Nullable String began,
        @Nullable String ended) {}
