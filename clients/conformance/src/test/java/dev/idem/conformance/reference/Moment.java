package dev.idem.conformance.reference;

/** A moment on the monotonic and on the wall clock, of which the earlier one counts. */
record Moment(long nanos, long wall) {
    private static final long NANOS_A_MILLI = 1_000_000;

    static Moment now() {
        return new Moment(System.nanoTime(), System.currentTimeMillis());
    }

    Moment plus(long millis) {
        return new Moment(nanos + millis * NANOS_A_MILLI, wall + millis);
    }

    long leftMillis() {
        long left = Math.min((nanos - System.nanoTime()) / NANOS_A_MILLI, wall - System.currentTimeMillis());
        return Math.max(0, left);
    }

    boolean isOver() {
        return leftMillis() == 0;
    }
}
