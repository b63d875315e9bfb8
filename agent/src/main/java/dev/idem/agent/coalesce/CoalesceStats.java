package dev.idem.agent.coalesce;

/**
 * Counts the calls since the coalescer was made.
 *
 * @param calls that were made
 * @param upstream calls that went out
 * @param shared calls that joined one under way
 * @param failures upstream calls that threw
 * @param left callers that gave up before there was a result
 * @param cancelled upstream calls that were interrupted because no caller waited any more
 */
public record CoalesceStats(long calls, long upstream, long shared, long failures, long left, long cancelled) {}
