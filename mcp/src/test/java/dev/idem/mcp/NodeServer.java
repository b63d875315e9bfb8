package dev.idem.mcp;

import dev.idem.mcp.stdio.Lines;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A server over HTTP that runs in node. It ends when its input is closed. */
final class NodeServer implements AutoCloseable {
    private final Process process;
    private final URI url;

    /** Starts a server that prints its URL first. */
    NodeServer(List<String> command) throws IOException {
        process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        byte[] line = new Lines(process.getInputStream(), 10_000).next();
        if (line == null) {
            throw new IOException("the server has not started: " + command);
        }
        url = URI.create(new String(line, StandardCharsets.UTF_8));
    }

    /** The fixture of the tests, which counts its effects in a file. */
    static NodeServer fixture(NodePackages packages, Path effects) throws IOException {
        return new NodeServer(HostKind.with(packages.script("fixture.mjs"), "http", effects.toString()));
    }

    URI url() {
        return url;
    }

    @Override
    public void close() throws IOException {
        try {
            process.getOutputStream().close();
            process.waitFor(10, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            process.destroyForcibly();
        }
    }
}
