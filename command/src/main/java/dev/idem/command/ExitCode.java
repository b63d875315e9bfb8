package dev.idem.command;

/**
 * The exit codes of all command lines of Idem: one table for the {@code idem} command, programs built with the kit, their
 * help and their manifests.
 */
public enum ExitCode {
    SUCCESS(0, "done, done before, or in a dry run would be done", false, "complete"),
    GENERAL_ERROR(1, "not done, for a reason that has no exit code of its own", false, "none"),
    ARG_ERROR(2, "wrong arguments; nothing was done", false, "none"),
    PARTIAL_FAILURE(3, "in doubt, or only a part was done; look before you call again", false, "partial"),
    PRECONDITION(4, "a condition does not hold yet, or another call holds the key; nothing was done", true, "none"),
    NOT_FOUND(5, "there is no such entry, file or object; nothing was done", false, "none"),
    CONFLICT(6, "the key was used for something else, or the state forbids it; nothing was done", false, "none"),
    PERMISSION_DENIED(7, "the caller may not do this; nothing was done", false, "none"),
    TIMEOUT(10, "the time limit is over; it may have happened, so the key is in doubt", false, "partial"),
    UNAVAILABLE(12, "the ledger or a service can't be reached; nothing was done", true, "none"),
    /** The codes from 80 to 127 are those of {@code idem run}, which otherwise ends with its command's own code. */
    IN_FLIGHT(80, "another call still runs the command; it did not run again", true, "none"),
    IN_DOUBT(81, "it is unknown whether the command took effect; it did not run again", false, "partial"),
    KEY_CONFLICT(82, "the key was used for something else; the command did not run", false, "none"),
    LEDGER(83, "the ledger can't be used; the command did not run", true, "none"),
    COMMAND_TIMEOUT(124, "the command's time limit is over; the key is in doubt", false, "partial"),
    NOT_EXECUTABLE(126, "the command can't be started; nothing is recorded", false, "none"),
    COMMAND_NOT_FOUND(127, "there is no such command; nothing is recorded", false, "none"),
    INTERRUPTED(130, "ended by SIGINT", false, "partial"),
    TERMINATED(143, "ended by SIGTERM", false, "partial");

    /** Codes from here on mean that a signal ended the process: this number plus the signal's. */
    public static final int FIRST_SIGNAL = 128;

    private final int number;
    private final String meaning;
    private final boolean retryable;
    private final String sideEffects;

    ExitCode(int number, String meaning, boolean retryable, String sideEffects) {
        this.number = number;
        this.meaning = meaning;
        this.retryable = retryable;
        this.sideEffects = sideEffects;
    }

    /**
     * The row of the table for a number.
     *
     * @throws IllegalArgumentException when the table has no such number
     */
    public static ExitCode of(int number) {
        for (ExitCode code : values()) {
            if (code.number == number) {
                return code;
            }
        }
        throw new IllegalArgumentException("exit " + number + " is not in the table");
    }

    /** The code the process ends with. */
    public int number() {
        return number;
    }

    /** A short text for people and agents. */
    public String meaning() {
        return meaning;
    }

    /** Whether the identical call may succeed later. Then nothing has happened. */
    public boolean retryable() {
        return retryable;
    }

    /** The extent of what was done: {@code none}, {@code partial} or {@code complete}. */
    public String sideEffects() {
        return sideEffects;
    }
}
