package dev.idem.testkit;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A Java process that a test starts, exchanges lines with, and may kill. */
public final class ChildProcess implements AutoCloseable {
    private static final long PATIENCE_SECONDS = 120;

    private final Process process;
    private final BufferedReader out;

    private ChildProcess(Process process) {
        this.process = process;
        this.out = process.inputReader();
    }

    /** Starts the class with the class path of the tests. */
    public static ChildProcess start(Class<?> main, String... arguments) throws IOException {
        return start(List.of(), main, arguments);
    }

    /** Starts the class with additional JVM options. */
    public static ChildProcess start(List<String> options, Class<?> main, String... arguments) throws IOException {
        return start(Map.of(), options, main, arguments);
    }

    /** Starts the class with additional environment variables. */
    public static ChildProcess start(
            Map<String, String> environment, List<String> options, Class<?> main, String... arguments)
            throws IOException {
        return start(environment, List.of(), options, main, arguments);
    }

    /** Starts the class with a limit on file sizes, in KiB. */
    public static ChildProcess startLimited(int kibibytes, Class<?> main, String... arguments) throws IOException {
        List<String> limit = List.of("/bin/bash", "-c", "ulimit -f " + kibibytes + "; exec \"$@\"", "limited");
        return start(Map.of(), limit, List.of(), main, arguments);
    }

    private static ChildProcess start(
            Map<String, String> environment,
            List<String> before,
            List<String> options,
            Class<?> main,
            String... arguments)
            throws IOException {
        LoadedClasses classes = LoadedClasses.forChild(before.isEmpty());
        List<String> command = new ArrayList<>(before);
        command.addAll(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-XX:-UsePerfData",
                "-Xmx256m",
                "--enable-native-access=ALL-UNNAMED",
                "-Dslf4j.internal.verbosity=ERROR",
                "-Djava.io.tmpdir=" + System.getProperty("java.io.tmpdir")));
        command.addAll(classes.options());
        command.addAll(options);
        command.add(main.getName());
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT);
        builder.environment().putAll(environment);
        Process process = builder.start();
        classes.started(process);
        return new ChildProcess(process);
    }

    /** The next line of its output; null at the end. */
    public @Nullable String line() {
        try {
            return out.readLine();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Writes a line to its stdin. */
    public void say(String line) throws IOException {
        process.outputWriter().write(line + "\n");
        process.outputWriter().flush();
    }

    /** The rest of its output, then its exit code. */
    public List<String> rest() throws InterruptedException {
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

    /** Pauses it (SIGSTOP), which takes a moment. It can be killed all the same. */
    public void stop() throws IOException, InterruptedException {
        // The shell has a built-in kill; not every machine has the program.
        int exit = new ProcessBuilder("/bin/sh", "-c", "kill -STOP " + pid())
                .start()
                .waitFor();
        if (exit != 0) {
            throw new IllegalStateException("the child can't be stopped: exit " + exit);
        }
    }

    public long pid() {
        return process.pid();
    }

    /** Kills it at once. */
    public void kill() {
        process.destroyForcibly().onExit().join();
    }

    /** Kills it, if it still runs. */
    @Override
    public void close() {
        kill();
    }
}
