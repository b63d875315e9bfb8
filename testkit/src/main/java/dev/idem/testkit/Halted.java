package dev.idem.testkit;

/**
 * The imagined end of a process. An {@link Error}, so that nothing which handles exceptions mistakes it for one: the
 * code that "was running" must not go on to record anything.
 */
public final class Halted extends Error {
    private static final long serialVersionUID = 1;

    Halted(String where) {
        super("the process ended at " + where);
    }
}
