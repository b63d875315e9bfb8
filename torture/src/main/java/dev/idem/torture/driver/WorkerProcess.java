package dev.idem.torture.driver;

import dev.idem.torture.worker.Orders;
import dev.idem.torture.worker.WorkerMain;
import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The driver's handle on a worker: sends lines, stops and kills it. */
final class WorkerProcess {
    private static final int BLOCK = 512;

    private final Process process;
    private final Path output;
    private boolean stopped;

    private WorkerProcess(Process process, Path output) {
        this.process = process;
        this.output = output;
    }

    /**
     * Starts a worker.
     *
     * @param jvmOptions additional options of its virtual machine
     * @param folder for the files of the process
     * @param largestFile the maximum size of a file; 0 for no limit
     */
    static WorkerProcess start(Orders orders, List<String> jvmOptions, Path folder, long largestFile)
            throws IOException {
        List<String> command = new ArrayList<>();
        if (largestFile > 0) {
            command.addAll(List.of("sh", "-c", "ulimit -f " + largestFile / BLOCK + "; exec \"$@\"", "sh"));
        }
        command.addAll(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx192m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-XX:-UsePerfData",
                "-Djava.io.tmpdir=" + folder,
                "-Djava.util.logging.config.file=" + folder.resolve(Fleet.LOGGING)));
        command.addAll(jvmOptions);
        command.addAll(List.of(
                "-cp",
                System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                WorkerMain.class.getName()));
        command.addAll(orders.arguments());
        Path output = folder.resolve("worker-" + orders.name() + ".out");
        return new WorkerProcess(
                new ProcessBuilder(command)
                        .redirectErrorStream(true)
                        .redirectOutput(output.toFile())
                        .start(),
                output);
    }

    boolean alive() {
        return process.isAlive();
    }

    /** Its exit code. */
    int exit() {
        return process.exitValue();
    }

    /** Its output. */
    String words() throws IOException {
        return Files.readString(output);
    }

    void kill() {
        process.destroyForcibly().onExit().join();
    }

    /** Pauses it (SIGSTOP). */
    void stop() throws IOException {
        signal("STOP");
        stopped = true;
    }

    void goOn() throws IOException {
        if (stopped) {
            signal("CONT");
            stopped = false;
        }
    }

    private void signal(String name) throws IOException {
        // The shell has a built-in kill; not every machine has the program.
        Process shell = new ProcessBuilder("sh", "-c", "kill -" + name + " " + process.pid())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        shell.onExit().join();
    }

    /** Sends a line to it; ignored if the worker is dead. */
    void say(String line) {
        try {
            Writer writer = process.outputWriter(StandardCharsets.UTF_8);
            writer.write(line + "\n");
            writer.flush();
        } catch (IOException e) {
            // It was killed meanwhile.
        }
    }

    /** Whether it has ended in time. */
    boolean ended(Duration time) throws InterruptedException {
        return process.waitFor(time.toMillis(), TimeUnit.MILLISECONDS);
    }
}
