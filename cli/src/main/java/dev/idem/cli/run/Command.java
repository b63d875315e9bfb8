package dev.idem.cli.run;

import dev.idem.cli.recorded.CommandDoubtful;
import dev.idem.cli.recorded.CommandFailed;
import dev.idem.cli.recorded.CommandResult;
import dev.idem.command.ExitCode;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What is run, and what its end means.
 *
 * @param words the program and its arguments
 * @param run the run it belongs to, which it is told; null for none
 * @param stdin what it reads
 * @param timeout how long it may run; null for as long as it likes
 * @param again whether it may be started again, so that its stdin has to be kept
 * @param failedExits exits that mean that nothing happened
 * @param onNonzero what the other exits from 1 to 127 mean
 * @param kept what is kept with a doubt
 */
public record Command(
        List<String> words,
        @Nullable String run,
        Stdin stdin,
        @Nullable Duration timeout,
        boolean again,
        ExitCodes failedExits,
        OnNonzero onNonzero,
        Kept kept) {

    /** What an exit from 1 to 127 means unless it is named. */
    public enum OnNonzero {
        /** Nobody knows. */
        DOUBT,
        /** Nothing happened. */
        RERUN,
        /** It is a result like any other. */
        KEEP
    }

    /** The result, if the command ended with one. */
    public CommandResult judge(CommandResult result) throws CommandDoubtful {
        int exit = result.exitCode();
        if (exit == 0) {
            return result;
        }
        if (exit >= ExitCode.FIRST_SIGNAL) {
            throw doubtful("exit " + exit + ", as after signal " + (exit - ExitCode.FIRST_SIGNAL), result);
        }
        if (failedExits.contains(exit) || onNonzero == OnNonzero.RERUN) {
            throw new CommandFailed(result);
        }
        if (onNonzero == OnNonzero.KEEP) {
            return result;
        }
        throw doubtful("exit " + exit, result);
    }

    CommandDoubtful doubtful(String how, CommandResult result) {
        return new CommandDoubtful(how, kept.about(words, result), result);
    }
}
