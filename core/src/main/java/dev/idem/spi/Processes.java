package dev.idem.spi;

/** Tells whether a process still lives, so that a dead owner is in doubt at once instead of after its lease. */
@FunctionalInterface
public interface Processes {
    /** The state of a process. */
    enum Life {
        ALIVE,
        DEAD,
        /** Of another host, boot or pid namespace: only its lease can tell. */
        UNKNOWN
    }

    Life of(ProcessRef process);

    /** Knows of no process; leases alone decide. */
    static Processes unknown() {
        return process -> Life.UNKNOWN;
    }
}
