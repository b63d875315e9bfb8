package dev.idem.cli.envelope;

/** The exit codes of {@code idem} itself; everything else is the code of the command it ran. */
public final class Exit {
    public static final int OK = 0;
    public static final int GENERAL = 1;
    public static final int USAGE = 2;
    /** Something happened, or may have, and not all of it is known to be well. */
    public static final int PARTIAL = 3;
    /** Held by another, for the commands beside {@code run}. */
    public static final int HELD = 4;

    public static final int NOT_FOUND = 5;
    public static final int CHANGED = 6;
    public static final int UNAVAILABLE = 12;

    public static final int RUN_IN_FLIGHT = 80;
    public static final int RUN_IN_DOUBT = 81;
    public static final int RUN_CONFLICT = 82;
    public static final int RUN_LEDGER = 83;

    public static final int TIMEOUT = 124;
    public static final int NOT_EXECUTABLE = 126;
    public static final int COMMAND_NOT_FOUND = 127;
    /** From here on the command was killed by a signal. */
    public static final int FIRST_SIGNAL = 128;

    private Exit() {}
}
