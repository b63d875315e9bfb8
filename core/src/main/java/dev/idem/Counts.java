package dev.idem;

/**
 * What an engine has done since it was opened.
 *
 * @param runs actions that ran
 * @param replays duplicates that were answered: runs prevented
 * @param waits duplicates that waited for a running one
 * @param takeOvers entries in doubt that were taken over
 * @param refusals calls that were given no value
 * @param warnings calls that went well with something to know
 * @param losses tickets that were lost while their action ran
 */
public record Counts(long runs, long replays, long waits, long takeOvers, long refusals, long warnings, long losses) {}
