package dev.idem.agent.check;

/**
 * A problem of a tool.
 *
 * @param rule a stable id, such as {@code volatile-identity}
 * @param tool its name
 * @param source where it was found: a file, a class
 * @param message describes the problem
 * @param fix the code to write instead
 */
public record Finding(String rule, Severity severity, String tool, String source, String message, String fix) {}
