package dev.idem.cli.envelope;

import java.util.List;

/**
 * What an exit code means, for the help and the manifest.
 *
 * @param name a stable word for programs
 * @param description in the present tense
 * @param retryable whether the same call may simply be made again; then nothing happened
 * @param sideEffects none, partial or complete
 */
public record ExitMeaning(int code, String name, String description, boolean retryable, String sideEffects) {
    /** All of them. */
    public static final List<ExitMeaning> ALL = List.of(
            new ExitMeaning(0, "SUCCESS", "it is done, or was done before", false, "complete"),
            new ExitMeaning(1, "GENERAL_ERROR", "it went wrong in a way that has no code of its own", false, "none"),
            new ExitMeaning(2, "ARG_ERROR", "wrong arguments; nothing was done", false, "none"),
            new ExitMeaning(3, "PARTIAL_FAILURE", "in doubt, or not all of it went well", false, "partial"),
            new ExitMeaning(4, "PRECONDITION", "held by another; nothing was done", true, "none"),
            new ExitMeaning(5, "NOT_FOUND", "there is no such entry or file", false, "none"),
            new ExitMeaning(6, "CONFLICT", "used for something else, or changed meanwhile", false, "none"),
            new ExitMeaning(7, "PERMISSION_DENIED", "this user may not", false, "none"),
            new ExitMeaning(10, "TIMEOUT", "the time is over", false, "partial"),
            new ExitMeaning(12, "UNAVAILABLE", "the ledger can't be used; nothing was done", true, "none"),
            new ExitMeaning(80, "IN_FLIGHT", "another call still runs it; the command did not run", true, "none"),
            new ExitMeaning(81, "IN_DOUBT", "nobody knows whether it happened; it did not run", false, "partial"),
            new ExitMeaning(82, "KEY_CONFLICT", "the key was used for something else; it did not run", false, "none"),
            new ExitMeaning(83, "LEDGER", "the ledger can't be used; the command did not run", true, "none"),
            new ExitMeaning(124, "COMMAND_TIMEOUT", "the command's time is over; it is in doubt", false, "partial"),
            new ExitMeaning(126, "NOT_EXECUTABLE", "the command can't be started; nothing is kept", false, "none"),
            new ExitMeaning(127, "COMMAND_NOT_FOUND", "there is no such command; nothing is kept", false, "none"),
            new ExitMeaning(130, "INTERRUPTED", "interrupted (SIGINT)", false, "partial"),
            new ExitMeaning(143, "TERMINATED", "ended from outside (SIGTERM)", false, "partial"));

    /** The meaning of a code that is in the table. */
    public static ExitMeaning of(int code) {
        for (ExitMeaning meaning : ALL) {
            if (meaning.code() == code) {
                return meaning;
            }
        }
        throw new IllegalArgumentException("exit " + code + " is not in the table");
    }
}
