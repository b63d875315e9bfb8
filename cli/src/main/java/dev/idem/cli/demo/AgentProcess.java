package dev.idem.cli.demo;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** A running agent: a child process of the same class path. */
final class AgentProcess implements AutoCloseable {
    /** What makes the start of a small program quick; as the launcher has it. */
    private static final List<String> QUICK = List.of(
            "-XX:TieredStopAtLevel=1",
            "-XX:+UseSerialGC",
            "-XX:-UsePerfData",
            "-Xlog:disable",
            "-Xlog:all=error:stderr",
            "-Djava.util.logging.config.file=/dev/null",
            "-Djava.locale.providers=FALLBACK",
            "-Dslf4j.provider=org.slf4j.nop.NOPServiceProvider",
            "-Dslf4j.internal.verbosity=WARN");

    /** What the launcher has prepared, and found anew in this process's own line. */
    private static final List<String> PREPARED =
            List.of("-XX:SharedArchiveFile=", "-XX:AOTCache=", "--enable-native-access=", "-Dorg.sqlite.lib.path=");

    private final Process process;
    private final Path said;

    private AgentProcess(Process process, Path said) {
        this.process = process;
        this.said = said;
    }

    /** Starts one with these words. All that it leaves is in the folder. */
    static AgentProcess start(Path folder, List<String> words) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(QUICK);
        prepared().forEach(command::add);
        // A process that is killed does not clear away what its libraries have unpacked.
        command.add("-Djava.io.tmpdir=" + folder);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), Agent.class.getName()));
        command.addAll(words);
        Path said = Files.createTempFile(folder, "agent-", ".log");
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(said.toFile())
                .start();
        return new AgentProcess(process, said);
    }

    private static Stream<String> prepared() {
        String[] own = ProcessHandle.current().info().arguments().orElse(new String[0]);
        return Stream.of(own).filter(word -> PREPARED.stream().anyMatch(word::startsWith));
    }

    long pid() {
        return process.pid();
    }

    boolean alive() {
        return process.isAlive();
    }

    /** Waits for its end and gives its exit code. */
    int end() throws InterruptedException {
        return process.waitFor();
    }

    /** Kills it with SIGKILL, and waits for its end, whoever interrupts. */
    void kill() {
        process.destroyForcibly();
        process.onExit().join();
    }

    /** What it has said, when it ended as it should not. */
    String said() throws IOException {
        return Files.readString(said, StandardCharsets.UTF_8).strip();
    }

    @Override
    public void close() {
        kill();
    }
}
