package dev.idem.cli.recorded;

/**
 * The exit and the output of a command.
 *
 * @param resolved whether a person resolved the entry, because the result of the run was lost
 */
public record CommandResult(int exitCode, Recorded output, boolean resolved) {
    public static CommandResult of(int exitCode, Recorded output) {
        return new CommandResult(exitCode, output, false);
    }

    /** The result for duplicates after a person has resolved the entry as complete. */
    public static CommandResult resolvedByHand() {
        return new CommandResult(0, Recorded.nothing(), true);
    }
}
