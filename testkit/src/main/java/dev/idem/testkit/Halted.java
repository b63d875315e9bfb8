package dev.idem.testkit;

/**
 * Simulates the death of a process. An {@link Error}, so that no handler of exceptions catches it: the code that "was
 * running" must not record anything.
 */
public final class Halted extends Error {
    private static final long serialVersionUID = 1;

    Halted(String where) {
        super("the process ended at " + where);
    }
}
