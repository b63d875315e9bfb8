package dev.idem.cli.recorded;

/**
 * How a command ended and what it wrote.
 *
 * @param resolved whether a person said so, since the run itself was lost
 */
public record CommandResult(int exitCode, Recorded output, boolean resolved) {
    public static CommandResult of(int exitCode, Recorded output) {
        return new CommandResult(exitCode, output, false);
    }

    /** The result that duplicates get after a person has found out that the run happened. */
    public static CommandResult resolvedByHand() {
        return new CommandResult(0, Recorded.nothing(), true);
    }
}
