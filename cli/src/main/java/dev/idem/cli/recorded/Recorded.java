package dev.idem.cli.recorded;

/** The output of a command: all of it, or only its size. May contain secrets. */
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

    /** For output that is too large or could not be recorded completely. */
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

    /** The number of bytes read from both streams. */
    public long total() {
        return total;
    }

    /** Whether the bytes were kept. */
    public boolean whole() {
        return whole;
    }

    /** The reason why the bytes were not kept, as a sentence about the command. */
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
