package dev.idem;

/**
 * Counters of an {@link Idem} since it was opened.
 *
 * @param runs actions that ran
 * @param replays duplicates that got a stored value: runs prevented
 * @param waits duplicates that waited for a running attempt
 * @param takeOvers entries in doubt that were taken over
 * @param refusals calls that ended without a value
 * @param warnings calls that succeeded with a warning
 * @param losses tickets that were lost while their action ran
 */
public record Counts(long runs, long replays, long waits, long takeOvers, long refusals, long warnings, long losses) {}
