package dev.idem.cli.recorded;

import java.io.ByteArrayOutputStream;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Keeps what a command writes, as long as both streams together stay below the cap. Beyond it nothing is kept at all:
 * a replay is whole or there is none.
 */
public final class Recording {
    /** 16 MiB for stdout and stderr together. */
    public static final int CAP = 16 * 1024 * 1024;

    private final int cap;
    private final AtomicLong total = new AtomicLong();
    private volatile boolean lost;
    private final Track stdout = new Track();
    private final Track stderr = new Track();

    public Recording(int cap) {
        this.cap = cap;
    }

    public Track stdout() {
        return stdout;
    }

    public Track stderr() {
        return stderr;
    }

    /** What was written until now; only how much was read, where that is too much or not all. */
    public Recorded recorded() {
        // The copy comes before the look at the cap: a pump that still writes counts first and empties afterwards.
        byte[] out = stdout.bytes();
        byte[] err = stderr.bytes();
        long bytes = total.get();
        return bytes > cap || lost ? Recorded.notKept(bytes) : Recorded.of(out, err);
    }

    /** One of the two streams. Written by one thread, read when that one has ended or is given up. */
    public final class Track {
        private final ByteArrayOutputStream kept = new ByteArrayOutputStream(512);

        /** Whether both streams are still kept: together they are below the cap, and nothing was lost. */
        public boolean write(byte[] bytes, int length) {
            boolean whole = total.addAndGet(length) <= cap && !lost;
            if (whole) {
                kept.write(bytes, 0, length);
            } else {
                kept.reset();
            }
            return whole;
        }

        /** Says that not all could be recorded: nothing of both streams is kept. */
        public void lose() {
            lost = true;
        }

        private byte[] bytes() {
            return kept.toByteArray();
        }
    }
}
