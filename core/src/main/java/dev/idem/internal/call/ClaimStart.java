package dev.idem.internal.call;

/**
 * The time at which a claim was sent, or slightly earlier, so that its lease never counts as longer than it is.
 *
 * @param nanos by the monotonic clock
 * @param wall by the wall clock, in milliseconds
 * @param dropsBefore how many entries the near cache had dropped by then
 */
record ClaimStart(long nanos, long wall, long dropsBefore) {}
