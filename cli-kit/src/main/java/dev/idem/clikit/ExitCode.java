package dev.idem.clikit;

/** What the exit code of a command means. */
public enum ExitCode {
    SUCCESS(0, "It is done, was done before under this key, or would be done.", false, "complete"),
    GENERAL_ERROR(1, "It was not done, for a reason no other code stands for.", false, "none"),
    ARG_ERROR(2, "The arguments are wrong. Nothing happened; correct them.", false, "none"),
    PARTIAL_FAILURE(3, "In doubt: nobody knows whether it happened. Look before anything else.", false, "partial"),
    PRECONDITION(4, "A condition does not hold yet, or another call holds the key. Nothing happened.", true, "none"),
    NOT_FOUND(5, "What it is about does not exist. Nothing happened.", false, "none"),
    CONFLICT(6, "The key was used with other arguments, or the state forbids it. Nothing happened.", false, "none"),
    PERMISSION_DENIED(7, "The caller may not do this. Nothing happened.", false, "none"),
    TIMEOUT(10, "The time limit is over. It may have happened; the key is in doubt.", false, "partial"),
    UNAVAILABLE(12, "A service or the ledger can't be reached. Nothing happened.", true, "none");

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

    /** The code the process ends with. */
    public int number() {
        return number;
    }

    /** One sentence for people and agents. */
    public String meaning() {
        return meaning;
    }

    /** Whether the identical call may succeed later; then nothing has happened. */
    public boolean retryable() {
        return retryable;
    }

    /** How much was done: {@code none}, {@code partial} or {@code complete}. */
    public String sideEffects() {
        return sideEffects;
    }
}
