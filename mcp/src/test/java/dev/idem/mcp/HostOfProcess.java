package dev.idem.mcp;

import dev.idem.mcp.guard.Message;
import dev.idem.mcp.stdio.Lines;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A host that starts a server, or a guard in front of one, as its process. */
final class HostOfProcess implements AutoCloseable {
    private static final long SECONDS = 60;

    private final Process process;
    private final Lines lines;

    HostOfProcess(List<String> command) throws IOException {
        process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        lines = new Lines(process.getInputStream(), 1_000_000);
    }

    Process process() {
        return process;
    }

    void say(String line) throws IOException {
        process.getOutputStream().write((line + "\n").getBytes(StandardCharsets.UTF_8));
        process.getOutputStream().flush();
    }

    /** The answer to a request; an {@link IOException} if the process has ended. */
    Message answer(int id) throws IOException {
        for (byte[] line = lines.next(); line != null; line = lines.next()) {
            Message message = Message.ofServer(line);
            if (message != null && message.isResponse() && String.valueOf(id).equals(message.id())) {
                return message;
            }
        }
        throw new IOException("the process has ended");
    }

    /** Ends the process as hosts do: closes its input and waits. */
    @Override
    public void close() throws IOException {
        try {
            process.getOutputStream().close();
        } catch (IOException alreadyGone) {
            // It was killed.
        }
        process.onExit().orTimeout(SECONDS, TimeUnit.SECONDS).join();
    }
}
