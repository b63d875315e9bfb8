package dev.idem.command.score;

/**
 * One condition of a point.
 *
 * @param point 1, 2 or 3
 * @param what the condition
 * @param met whether it is met
 * @param evidence what was seen
 * @param missing what to build where it is not met
 */
public record Check(int point, String what, boolean met, String evidence, String missing) {}
