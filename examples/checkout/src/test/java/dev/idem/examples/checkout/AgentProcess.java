package dev.idem.examples.checkout;

import dev.idem.examples.checkout.World.Assassin;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Runs the agent in processes of its own, one after the other, and lets them be killed. */
final class AgentProcess {
    private static final int SIGKILLED = 128 + 9;

    private final World world;
    private final String ledger;
    private final Path folder;
    private final Path classes;

    AgentProcess(World world, String ledger, Path folder) {
        this.world = world;
        this.ledger = ledger;
        this.folder = folder;
        this.classes = folder.resolve("agent.jsa");
    }

    /** How a process ended: what it had said, and whether it was killed. */
    record Ended(String output, boolean killed) {}

    /** Decides at each step of an answer whether the agent has to die. */
    interface Verdict {
        boolean dies(int request, World.Moment moment);
    }

    /** Lives to its end, and keeps its classes for those that come after it: they start in half of the time. */
    Ended undisturbed(String session, String customer) throws IOException, InterruptedException {
        return run("-XX:ArchiveClassesAtExit=" + classes, session, customer, (request, moment) -> false);
    }

    Ended run(String session, String customer, Verdict verdict) throws IOException, InterruptedException {
        return run("-XX:SharedArchiveFile=" + classes, session, customer, verdict);
    }

    private Ended run(String option, String session, String customer, Verdict verdict)
            throws IOException, InterruptedException {
        CompletableFuture<Process> agent = new CompletableFuture<>();
        world.send(assassin(agent, verdict));
        Process process = new ProcessBuilder(command(option, session, customer))
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        try {
            agent.complete(process);
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            return new Ended(output, process.waitFor() == SIGKILLED);
        } finally {
            process.destroyForcibly();
        }
    }

    private static Assassin assassin(CompletableFuture<Process> agent, Verdict verdict) {
        return (request, moment) -> {
            if (verdict.dies(request, moment)) {
                // By its handle: a process itself closes what is being read from it.
                agent.join().toHandle().destroyForcibly();
                agent.join().onExit().join();
            }
        };
    }

    private List<String> command(String option, String session, String customer) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                option,
                "-Xlog:disable",
                "-XX:TieredStopAtLevel=1",
                // It lives for a second or two: most of what would be compiled is not used again.
                "-XX:CompileThresholdScaling=8",
                "-XX:-UsePerfData",
                // Nobody here speaks TLS, and reading the certificates of all authorities takes a while.
                "-Djavax.net.ssl.trustStore=NONE",
                "-XX:+UseSerialGC",
                "-Djava.io.tmpdir=" + folder));
        command.addAll(
                List.of("-cp", classPath(), CheckoutAgent.class.getName(), ledger, world.url(), session, customer));
        return command;
    }

    /** Without the tests: classes are kept for jars alone. */
    private static String classPath() {
        return Stream.of(System.getProperty("java.class.path").split(File.pathSeparator, -1))
                .filter(entry -> !entry.endsWith("test-classes") && Files.exists(Path.of(entry)))
                .collect(Collectors.joining(File.pathSeparator));
    }
}
