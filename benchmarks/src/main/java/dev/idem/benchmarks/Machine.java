package dev.idem.benchmarks;

import dev.idem.Idem;

/** What all measurements have in common. */
final class Machine {
    /** A fixed heap, so that no run measures how the heap grows. */
    static final String HEAP = "-Xms2g";

    private Machine() {}

    static Idem inMemory() {
        return Idem.builder().ledger("memory:").quiet().open();
    }
}
