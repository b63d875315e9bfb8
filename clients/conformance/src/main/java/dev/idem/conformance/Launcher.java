package dev.idem.conformance;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Map;

/** Starts the driver of a client. */
interface Launcher {
    /** Starts it with additional environment variables. */
    Started start(Map<String, String> environment) throws IOException;

    /** A driver that runs. */
    interface Started {
        /** Its stdin. */
        OutputStream in();

        /** Its stdout. */
        InputStream out();

        /** The process of the driver. A client may be a child of it. */
        long pid();

        /** What it has written to stderr lately, for people. */
        String words();

        /** Ends it at once, without a last word. False if it can't be killed, because it is no process of its own. */
        boolean kill();
    }
}
