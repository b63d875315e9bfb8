package dev.idem.cli.recorded;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The exit and the output of a command.
 *
 * @param resolved whether a person resolved the entry, because the result of the run was lost
 * @param folder where the command ran; null if that is not known or not kept
 */
public record CommandResult(
        int exitCode,
        Recorded output,
        boolean resolved,
        @Nullable String folder) {
    public static CommandResult of(int exitCode, Recorded output) {
        return new CommandResult(exitCode, output, false, null);
    }

    /** The result for duplicates after a person has resolved the entry as complete. */
    public static CommandResult resolvedByHand() {
        return new CommandResult(0, Recorded.nothing(), true, null);
    }

    /** Where the command ran, if that is known and is another folder. */
    public @Nullable String folderOtherThan(Path here) {
        return here.toString().equals(folder) ? null : folder;
    }

    /** The same of a command that ran in this folder. */
    public CommandResult in(Path where) {
        return new CommandResult(exitCode, output, resolved, where.toString());
    }
}
