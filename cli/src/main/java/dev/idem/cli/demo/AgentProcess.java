package dev.idem.cli.demo;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A running agent: a child process of the same class path.
 *
 * @param log the file with its output
 */
record AgentProcess(Process process, Path log) implements AutoCloseable {
    /** Starts an agent with these arguments. All its files are in the folder. */
    static AgentProcess start(Path folder, List<String> words) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(ownOptions());
        // A killed process does not delete the files that its libraries have unpacked.
        command.add("-Djava.io.tmpdir=" + folder);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), Agent.class.getName()));
        command.addAll(words);
        Path log = Files.createTempFile(folder, "agent-", ".log");
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        return new AgentProcess(process, log);
    }

    /** The JVM options of this process: the launcher has chosen them for a quick start. */
    private static List<String> ownOptions() {
        List<String> own =
                Arrays.asList(ProcessHandle.current().info().arguments().orElse(new String[0]));
        int end = 0;
        while (end < own.size()
                && own.get(end).startsWith("-")
                && !List.of("-jar", "-cp", "-classpath").contains(own.get(end))) {
            end++;
        }
        return own.subList(0, end);
    }

    boolean alive() {
        return process.isAlive();
    }

    /** Kills it with SIGKILL and waits for its end, even if this thread is interrupted. */
    void kill() {
        process.destroyForcibly();
        process.onExit().join();
    }

    /** Its output, for an error message. */
    String said() throws IOException {
        return Files.readString(log, StandardCharsets.UTF_8).strip();
    }

    @Override
    public void close() {
        kill();
    }
}
