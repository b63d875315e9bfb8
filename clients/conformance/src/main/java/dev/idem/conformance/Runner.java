package dev.idem.conformance;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Runs scenarios.
 *
 * @param patience how long a client may take for a step that it has to make
 */
record Runner(Launcher launcher, int atOnce, Duration patience) {
    /**
     * The verdict on a client.
     *
     * @param failure what it did wrong; null if nothing
     * @param words what its driver wrote to stderr
     */
    record Verdict(String scenario, @Nullable String failure, String words) {
        boolean isOk() {
            return failure == null;
        }

        String line() {
            return failure == null ? "ok " + scenario : "FAILED " + scenario + ": " + failure;
        }
    }

    List<Verdict> run(List<Scenario> scenarios, Consumer<Verdict> told) throws InterruptedException {
        ExecutorService threads = Executors.newFixedThreadPool(atOnce);
        try {
            List<Future<Verdict>> running = new ArrayList<>();
            for (Scenario each : scenarios) {
                running.add(threads.submit(() -> {
                    Verdict verdict = verdict(each);
                    synchronized (told) {
                        told.accept(verdict);
                    }
                    return verdict;
                }));
            }
            List<Verdict> verdicts = new ArrayList<>();
            for (Future<Verdict> each : running) {
                verdicts.add(each.get());
            }
            return verdicts;
        } catch (ExecutionException e) {
            if (e.getCause() instanceof IllegalArgumentException wrongUse) {
                throw wrongUse;
            }
            throw new IllegalStateException(e);
        } finally {
            threads.shutdownNow();
        }
    }

    private Verdict verdict(Scenario scenario) throws Exception {
        Path folder = Files.createTempDirectory("idem-conformance-");
        String failure = null;
        StringBuilder words = new StringBuilder();
        try (World world = new World(folder, launcher, patience, scenario.duty())) {
            try {
                scenario.body().run(world);
                Always.check(world);
            } catch (Violation e) {
                failure = e.getMessage();
                world.drivers().forEach(each -> words.append(each.words()));
            }
            world.faults.requireWhole();
        } finally {
            remove(folder);
        }
        return new Verdict(scenario.name(), failure, words.toString());
    }

    private static void remove(Path folder) {
        try (Stream<Path> all = Files.walk(folder)) {
            for (Path each : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(each);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
