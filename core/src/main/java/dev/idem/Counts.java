package dev.idem;

/**
 * Counters of an {@link Idem} since it was opened.
 *
 * @param runs actions that ran
 * @param replays duplicates that got a stored value: runs prevented
 * @param waits duplicates that waited for a running attempt
 * @param takeOvers entries in doubt that were taken over
 * @param refusals calls that Idem ended with an exception of its own: in flight, in doubt, a conflict, an expired key, a
 *     result that can't be read, the failure of another call, a stale ticket. Exceptions of actions and of the ledger
 *     do not count
 * @param warnings calls that succeeded with a warning
 * @param losses tickets that were lost while their action ran
 */
public record Counts(long runs, long replays, long waits, long takeOvers, long refusals, long warnings, long losses) {}
