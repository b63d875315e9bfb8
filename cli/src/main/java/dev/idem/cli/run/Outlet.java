package dev.idem.cli.run;

import java.io.File;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.ProcessBuilder.Redirect;

/** A pipe for what a started process writes, which ends when nobody holds it any more. */
final class Outlet implements AutoCloseable {
    private final OwnPipe pipe;

    Outlet(OwnPipe pipe) {
        this.pipe = pipe;
    }

    /** What the process is started with. */
    Redirect redirect() {
        return Redirect.to(new File("/proc/self/fd/" + pipe.writing()));
    }

    /** What it writes, opened once more: this kind of stream tells how much there is to read. */
    InputStream stream() throws IOException {
        return new FileInputStream("/proc/self/fd/" + pipe.reading());
    }

    /** Closes this process's own ends; while its writing end is open, the pipe never ends. */
    @Override
    public void close() throws IOException {
        pipe.close();
    }
}
