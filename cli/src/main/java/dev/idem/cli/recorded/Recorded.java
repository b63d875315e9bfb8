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

    /** Made for output that is too large, or could not be recorded to its end. */
    public static Recorded notKept(long total) {
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

    /** How many bytes of both streams together were read. */
    public long total() {
        return total;
    }

    /** Whether the bytes are there. */
    public boolean whole() {
        return whole;
    }

    /** Why the bytes are not there, as a sentence about the command. */
    public String whyNotKept() {
        return total > Recording.CAP
                ? "the command wrote " + total + " bytes, and at most " + Recording.CAP + " are kept"
                : "the output of the command, at least " + total + " bytes, could not be recorded";
    }

    @Override
    public String toString() {
        return "Recorded[" + total + " bytes" + (whole ? "]" : ", not kept]");
    }
}
