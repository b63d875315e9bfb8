package dev.idem.cli.demo;

import java.io.IOException;
import java.util.Map;

/** How the agent calls its tools. */
interface Hands extends AutoCloseable {
    /** Calls a tool and gives what the model is told. */
    Told call(String tool, Map<String, ?> arguments) throws IOException, InterruptedException;

    @Override
    void close();

    /**
     * What the model is told of a call.
     *
     * @param status a word for programs
     */
    record Told(String tool, String status, String text) {}
}
