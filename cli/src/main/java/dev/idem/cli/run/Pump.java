package dev.idem.cli.run;

import dev.idem.cli.recorded.Recording;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Passes on what a command writes, as it comes, and records it. */
final class Pump {
    private final InputStream from;
    private final @Nullable OutputStream live;
    private final Recording.Track track;
    private final Thread thread;

    /** Made with {@code live}: where it is passed on to; null to record alone */
    Pump(String name, InputStream from, @Nullable OutputStream live, Recording.Track track) {
        this.from = from;
        this.live = live;
        this.track = track;
        this.thread = new Thread(this::run, name);
        thread.setDaemon(true);
    }

    void start() {
        thread.start();
    }

    /** Whether the stream has ended within this time. */
    boolean ended(Duration atMost) throws InterruptedException {
        thread.join(Math.max(1, atMost.toMillis()));
        return !thread.isAlive();
    }

    private void run() {
        byte[] buffer = new byte[64 * 1024];
        OutputStream open = live;
        try {
            for (int n = from.read(buffer); n >= 0; n = from.read(buffer)) {
                track.write(buffer, n);
                open = passOn(open, buffer, n);
            }
        } catch (IOException e) {
            // The stream was closed under us: the command has ended, and so has its output.
            return;
        }
    }

    /** A reader that went away (as {@code head} does) must not stop the command half-way: it is recorded all the same. */
    private static @Nullable OutputStream passOn(@Nullable OutputStream open, byte[] buffer, int length) {
        if (open == null) {
            return null;
        }
        try {
            open.write(buffer, 0, length);
            open.flush();
            return open;
        } catch (IOException e) {
            return null;
        }
    }
}
