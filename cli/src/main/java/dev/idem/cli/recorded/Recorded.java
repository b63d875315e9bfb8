package dev.idem.cli.recorded;

/** What a command has written: all of it, or only how much it was. May hold secrets. */
public final class Recorded {
    private static final byte[] NOTHING = new byte[0];

    private final byte[] stdout;
    private final byte[] stderr;
    private final long total;
    private final boolean whole;

    private Recorded(byte[] stdout, byte[] stderr, long total, boolean whole) {
        this.stdout = stdout;
        this.stderr = stderr;
        this.total = total;
        this.whole = whole;
    }

    public static Recorded of(byte[] stdout, byte[] stderr) {
        return new Recorded(stdout, stderr, (long) stdout.length + stderr.length, true);
    }

    public static Recorded nothing() {
        return of(NOTHING, NOTHING);
    }

    public static Recorded tooLarge(long total) {
        return new Recorded(NOTHING, NOTHING, total, false);
    }

    /** Not copied: must not be changed. */
    public byte[] stdout() {
        return stdout;
    }

    /** Not copied: must not be changed. */
    public byte[] stderr() {
        return stderr;
    }

    /** How many bytes both streams had together. */
    public long total() {
        return total;
    }

    /** Whether the bytes are there. */
    public boolean whole() {
        return whole;
    }

    @Override
    public String toString() {
        return "Recorded[" + total + " bytes" + (whole ? "]" : ", not kept]");
    }
}
