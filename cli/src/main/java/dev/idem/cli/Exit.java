package dev.idem.cli;

/** The exit codes of {@code idem} itself; everything else is the code of the command it ran. */
final class Exit {
    static final int OK = 0;
    static final int GENERAL = 1;
    static final int USAGE = 2;
    /** Held by another, for the commands beside {@code run}. */
    static final int HELD = 4;

    static final int NOT_FOUND = 5;
    static final int CHANGED = 6;
    static final int UNAVAILABLE = 12;

    static final int RUN_IN_FLIGHT = 80;
    static final int RUN_IN_DOUBT = 81;
    static final int RUN_CONFLICT = 82;
    static final int RUN_LEDGER = 83;

    static final int TIMEOUT = 124;
    static final int NOT_EXECUTABLE = 126;
    static final int COMMAND_NOT_FOUND = 127;
    /** From here on the command was killed by a signal. */
    static final int FIRST_SIGNAL = 128;

    private Exit() {}
}
