package dev.idem.cli.recorded;

import java.io.ByteArrayOutputStream;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Keeps the output of a command while both streams together stay below the cap. Above it nothing is kept: a replay is
 * complete or there is none.
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

    /** The output so far; only its size if it is too large or incomplete. */
    public Recorded recorded() {
        // Copy before the check of the cap: a pump that still writes counts first and clears afterwards.
        byte[] out = stdout.bytes();
        byte[] err = stderr.bytes();
        long bytes = total.get();
        return bytes > cap || lost ? Recorded.notKept(bytes) : Recorded.of(out, err);
    }

    /** One of the two streams. Written by one thread, read after that thread has ended or was given up. */
    public final class Track {
        private final ByteArrayOutputStream kept = new ByteArrayOutputStream(512);

        /** Adds bytes. Returns whether both streams are still kept: below the cap, and nothing lost. */
        public boolean write(byte[] bytes, int length) {
            boolean whole = total.addAndGet(length) <= cap && !lost;
            if (whole) {
                kept.write(bytes, 0, length);
            } else {
                kept.reset();
            }
            return whole;
        }

        /** Marks the recording as incomplete: neither stream is kept. */
        public void lose() {
            lost = true;
        }

        private byte[] bytes() {
            return kept.toByteArray();
        }
    }
}
