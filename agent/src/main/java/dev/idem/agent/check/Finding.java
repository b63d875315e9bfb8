package dev.idem.agent.check;

/**
 * Something about a tool that would go wrong.
 *
 * @param rule a stable id, such as {@code volatile-identity}
 * @param tool its name
 * @param source where it was found: a file, a class
 * @param message what is wrong
 * @param fix what to write instead
 */
public record Finding(String rule, Severity severity, String tool, String source, String message, String fix) {}
