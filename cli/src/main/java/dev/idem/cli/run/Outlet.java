package dev.idem.cli.run;

import java.io.File;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.ProcessBuilder.Redirect;

/** A pipe for what a started process writes, which ends when nobody holds it any more. */
final class Outlet implements AutoCloseable {
    private final OwnPipe pipe;

    private Outlet(OwnPipe pipe) {
        this.pipe = pipe;
    }

    /** An outlet that this process does not hold open: it ends as soon as those that write have closed it. */
    static Outlet on(OwnPipe pipe) throws IOException {
        pipe.pipe().sink().close();
        return new Outlet(pipe);
    }

    /** What the process is started with: by the path of either end a pipe is opened for reading or for writing. */
    Redirect redirect() {
        return Redirect.to(new File("/proc/self/fd/" + pipe.reading()));
    }

    /** What a started process writes, opened once more: this kind of stream tells how much there is to read. */
    InputStream stream() throws IOException {
        return new FileInputStream("/proc/self/fd/" + pipe.reading());
    }

    /** Closes the end that was kept for the next process; a stream that is still read stays open. */
    @Override
    public void close() throws IOException {
        pipe.close();
    }
}
