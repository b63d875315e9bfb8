package dev.idem.server.notice;

import dev.idem.server.notice.Sent.Fate;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Runs a program with a message on its stdin. Nothing of the message is in its arguments. */
final class CommandChannel extends Channel {
    private static final List<String> FIELDS =
            List.of("text", "link", "count", "operation", "scope", "key", "since", "words");

    private final List<String> line;
    private final Duration limit;

    CommandChannel(List<String> line) {
        this(line, Duration.ofSeconds(30));
    }

    CommandChannel(List<String> line, Duration limit) {
        super("command", String.join("\0", requireProgram(line)), "the command " + name(line));
        this.line = List.copyOf(line);
        this.limit = limit;
    }

    private static List<String> requireProgram(List<String> line) {
        if (line.isEmpty() || line.get(0).isBlank()) {
            throw new IllegalArgumentException("the command for notices needs a program");
        }
        return line;
    }

    /** Without its arguments, which may have secrets. */
    private static String name(List<String> line) {
        return String.valueOf(Path.of(line.get(0)).getFileName());
    }

    @Override
    boolean dropsRepeats() {
        return false;
    }

    @Override
    Sent send(Message message) {
        ProcessBuilder builder = new ProcessBuilder(line)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.DISCARD);
        Map<String, String> env = builder.environment();
        env.keySet().removeIf(name -> name.startsWith("IDEM_NOTICE_"));
        env.put("IDEM_NOTICE_ID", message.id());
        env.put("IDEM_NOTICE_TYPE", message.type());
        FIELDS.forEach(name -> env.put("IDEM_NOTICE_" + name.toUpperCase(Locale.ROOT), shown(message.field(name))));
        Process process;
        try {
            process = builder.start();
        } catch (IOException e) {
            return Sent.of(Fate.NOT_SENT, "it can't be started");
        }
        try {
            feed(process, message.json());
            if (!process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS)) {
                return Sent.of(Fate.UNKNOWN, "it did not end within " + limit.toSeconds() + " s");
            }
            int exit = process.exitValue();
            return Sent.of(exit == 0 ? Fate.ARRIVED : Fate.UNKNOWN, "it ended with exit " + exit);
        } catch (InterruptedException e) {
            return Sent.of(Fate.UNKNOWN, "the server ended");
        } finally {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
    }

    /** The text has several lines; everything else has one. */
    private static String shown(String value) {
        return String.join("\n", value.lines().map(Plain::line).toList());
    }

    /** A program that does not read must not hold up this thread. */
    private static void feed(Process process, byte[] json) {
        Thread feeder = new Thread(
                () -> {
                    try (OutputStream in = process.getOutputStream()) {
                        in.write(json);
                    } catch (IOException e) {
                        // It has ended without reading.
                    }
                },
                "idem-notice-stdin");
        feeder.setDaemon(true);
        feeder.start();
    }
}
