package dev.idem.cli;

import dev.idem.cli.InProcess.Ran;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/** Starts {@code idem} as processes of their own, in a home of their own, and ends what is left of them. */
final class Idems implements AutoCloseable {
    static final String JAVA =
            Path.of(System.getProperty("java.home"), "bin", "java").toString();
    private static final long PATIENCE_SECONDS = 90;

    private final Path home;
    private final List<Process> started = new ArrayList<>();
    private final Map<String, String> env = new TreeMap<>();
    private int count;

    Idems(Path home) {
        this.home = home;
        env.put("HOME", home.toString());
        env.put("XDG_STATE_HOME", home.resolve("state").toString());
        // Their stdout is a file; what is looked at is what people see.
        env.put("IDEM_TEXT", "1");
    }

    /** A variable for every later start; null to take it away. */
    Idems with(String name, String value) {
        env.put(name, value);
        return this;
    }

    /** A started {@code idem}. */
    static final class Started {
        final Process process;
        private final Path stdout;
        private final Path stderr;

        private Started(Process process, Path stdout, Path stderr) {
            this.process = process;
            this.stdout = stdout;
            this.stderr = stderr;
        }

        Ran end() {
            try {
                if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                    throw new AssertionError("it does not end; so far: " + Files.readString(stderr));
                }
                return new Ran(process.exitValue(), Files.readAllBytes(stdout), Files.readAllBytes(stderr));
            } catch (IOException | InterruptedException e) {
                throw new AssertionError(e);
            }
        }

        /** The file it writes to. */
        Path stdout() {
            return stdout;
        }

        /** What it has written to stderr until now. */
        String stderr() {
            try {
                return Files.readString(stderr);
            } catch (IOException e) {
                throw new AssertionError(e);
            }
        }

        /** The names of its threads: those of the ledger are there once it has been opened. */
        String threads() {
            try (var tasks = Files.list(Path.of("/proc/" + process.pid() + "/task"))) {
                StringBuilder names = new StringBuilder();
                for (Path task : tasks.toList()) {
                    names.append(Files.readString(task.resolve("comm")));
                }
                return names.toString();
            } catch (IOException e) {
                return "";
            }
        }

        /** Whether it has a file with this name open. */
        boolean hasOpen(String name) {
            try (var descriptors = Files.list(Path.of("/proc/" + process.pid() + "/fd"))) {
                for (Path descriptor : descriptors.toList()) {
                    if (Files.readSymbolicLink(descriptor).endsWith(name)) {
                        return true;
                    }
                }
                return false;
            } catch (IOException e) {
                return false;
            }
        }

        void kill() {
            signal("KILL", process.pid());
        }
    }

    Ran run(String... words) {
        return start(words).end();
    }

    Started start(String... words) {
        return start(Redirect.from(Path.of("/dev/null").toFile()), command(List.of(), words));
    }

    /** Starts a {@code Main} that kills itself when it comes to this point of its use of the ledger. */
    Ran runKilledAt(String point, String... words) {
        return runKilledAt(point, 0, words);
    }

    /** The same after it has come to this point some times. */
    Ran runKilledAt(String point, int after, String... words) {
        List<String> program = List.of(
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                KilledMain.class.getName());
        List<String> command =
                command(List.of("-Dkill.at=" + point, "-Dkill.after=" + after, Prepared.library()), program, words);
        return start(Redirect.from(Path.of("/dev/null").toFile()), command).end();
    }

    Started start(Redirect stdin, List<String> command) {
        try {
            Path stdout = home.resolve("stdout-" + ++count);
            Path stderr = home.resolve("stderr-" + count);
            ProcessBuilder builder = new ProcessBuilder(command)
                    .directory(home.toFile())
                    .redirectInput(stdin)
                    .redirectOutput(stdout.toFile())
                    .redirectError(stderr.toFile());
            env.forEach((name, value) -> {
                if (value == null) {
                    builder.environment().remove(name);
                } else {
                    builder.environment().put(name, value);
                }
            });
            Process process = builder.start();
            started.add(process);
            return new Started(process, stdout, stderr);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    /** The words that start {@code idem} as it is shipped, as quickly as the launcher does. */
    static List<String> command(List<String> options, String... words) {
        return command(options, Prepared.options(), words);
    }

    private static List<String> command(List<String> options, List<String> program, String... words) {
        List<String> command = new ArrayList<>(List.of(
                JAVA,
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-XX:-UsePerfData",
                // The virtual machine would write its warnings to stdout.
                "-Xlog:disable",
                "-Djava.io.tmpdir=" + System.getProperty("java.io.tmpdir")));
        command.addAll(options);
        command.addAll(program);
        command.addAll(List.of(words));
        return command;
    }

    static void signal(String name, long pid) {
        try {
            new ProcessBuilder("kill", "-s", name, Long.toString(pid)).start().waitFor();
        } catch (IOException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Override
    public void close() {
        started.forEach(process -> {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        });
    }
}
