package dev.idem.jsonl;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A program of its own that a test starts, talks with line by line, and may kill. */
final class ChildProcess implements AutoCloseable {
    private static final long PATIENCE_SECONDS = 120;

    private final Process process;
    private final BufferedReader out;

    private ChildProcess(Process process) {
        this.process = process;
        this.out = process.inputReader();
    }

    /** Starts the class with the class path of the tests. */
    static ChildProcess start(Class<?> main, String... arguments) throws IOException {
        return run(command(main, arguments));
    }

    private static List<String> command(Class<?> main, String... arguments) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-XX:-UsePerfData",
                "-Xshare:auto",
                "-cp",
                System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                main.getName()));
        command.addAll(List.of(arguments));
        return command;
    }

    private static ChildProcess run(List<String> command) throws IOException {
        return new ChildProcess(new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start());
    }

    /** The same, with files that may not grow beyond so many KiB. */
    static ChildProcess startLimited(int kibibytes, Class<?> main, String... arguments) throws IOException {
        List<String> command =
                new ArrayList<>(List.of("/bin/bash", "-c", "ulimit -f " + kibibytes + "; exec \"$@\"", "limited"));
        command.addAll(command(main, arguments));
        return run(command);
    }

    /** The next line it says; null when it has ended. */
    String line() {
        try {
            return out.readLine();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    void say(String line) throws IOException {
        process.outputWriter().write(line + "\n");
        process.outputWriter().flush();
    }

    /** Everything it says until it ends, and its exit code last. */
    List<String> rest() throws InterruptedException {
        List<String> lines = new ArrayList<>();
        for (String line = line(); line != null; line = line()) {
            lines.add(line);
        }
        if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
            throw new IllegalStateException("the child does not end");
        }
        lines.add("exit " + process.exitValue());
        return lines;
    }

    /** Ends it without a chance to say or write anything more. */
    void kill() {
        process.destroyForcibly().onExit().join();
    }

    @Override
    public void close() {
        kill();
    }
}
