package dev.idem.cli.run;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.lang.ProcessBuilder.Redirect;
import java.nio.channels.Channels;

/** A pipe for what a started process writes, which ends when nobody holds it any more. */
final class Outlet implements AutoCloseable {
    private final OwnPipe pipe;
    private boolean taken;

    Outlet(OwnPipe pipe) {
        this.pipe = pipe;
    }

    /** What the process is started with. */
    Redirect redirect() {
        return Redirect.to(new File("/proc/self/fd/" + pipe.writing()));
    }

    /** What it writes, once it is started. */
    InputStream stream() {
        taken = true;
        return Channels.newInputStream(pipe.pipe().source());
    }

    /** Closes this process's own writing end, without which the pipe would never end; and the other, if nobody reads. */
    @Override
    public void close() throws IOException {
        pipe.pipe().sink().close();
        if (!taken) {
            pipe.pipe().source().close();
        }
    }
}
