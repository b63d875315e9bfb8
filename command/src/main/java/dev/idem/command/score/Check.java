package dev.idem.command.score;

/**
 * One condition of a point.
 *
 * @param point 1, 2 or 3
 * @param what the condition
 * @param met whether it is met
 * @param evidence the observation
 * @param missing what to build if it is not met
 */
public record Check(int point, String what, boolean met, String evidence, String missing) {}
