package dev.idem.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.idem.Idem;
import dev.idem.Json;
import dev.idem.Outcome;
import dev.idem.Policy;
import dev.idem.spi.Ledger;
import dev.idem.spi.Ledgers;
import dev.idem.testkit.Thorough;
import dev.idem.testkit.Until;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Java, a shell with curl and Python race for the same keys on one ledger, and are killed at random with their servers. */
class LanguagesIT {
    private static final int KEYS = Thorough.times(40, 1000);
    private static final int KILLS = Thorough.times(2, 60);

    @TempDir
    Path folder;

    private final Map<String, Process> running = new TreeMap<>();

    @AfterEach
    void end() throws InterruptedException {
        for (Process each : running.values()) {
            each.destroyForcibly().waitFor();
        }
    }

    private String ledger() {
        return "sqlite:" + folder.resolve("idem.db") + "?busy=60s";
    }

    private Path socket() {
        return folder.resolve("run/s.sock");
    }

    private List<String> command(String racer) throws IOException {
        List<String> command = new ArrayList<>();
        String[] files = {
            "" + KEYS,
            folder.resolve("effects").toString(),
            folder.resolve(racer).toString()
        };
        switch (racer) {
            case "server" ->
                command.addAll(
                        Idems.command(List.of(), "serve", "--socket", socket().toString(), "--ledger", ledger()));
            case "java" -> {
                command.addAll(List.of(
                        Idems.JAVA,
                        "-XX:TieredStopAtLevel=1",
                        "--enable-native-access=ALL-UNNAMED",
                        "-cp",
                        System.getProperty("java.class.path"),
                        JavaRacer.class.getName()));
                command.addAll(List.of(files));
                command.add(ledger());
            }
            case "python" -> {
                command.addAll(List.of("python3", script("race.py")));
                command.addAll(List.of(files));
                command.addAll(Idems.command(List.of(), "serve", "--stdio", "--ledger", ledger()));
            }
            default -> {
                command.addAll(List.of("sh", script("race.sh")));
                command.addAll(List.of(files));
                command.add(socket().toString());
            }
        }
        return command;
    }

    private String script(String name) throws IOException {
        Path file = folder.resolve(name);
        try (var in = LanguagesIT.class.getResourceAsStream("/race/" + name)) {
            Files.write(file, in.readAllBytes());
        }
        return file.toString();
    }

    private void start(String racer) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(command(racer))
                .directory(folder.toFile())
                .redirectInput(Path.of("/dev/null").toFile())
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(folder.resolve(racer + ".err").toFile());
        running.put(racer, builder.start());
    }

    /** Java and Python meet at each key, and each kill comes while there are keys that nobody has run. */
    @Test
    void noKeyTakesEffectTwice() throws Exception {
        assumeTrue(isThere("python3 -c 0") && isThere("curl --json '' --version"), "there is no python3, or no curl");
        Random random = new Random(7);
        List<String> racers = List.of("java", "python", "server", "shell");
        for (String racer : racers) {
            start(racer);
        }
        Until.isTrue(
                "all are ready",
                () -> Files.exists(socket())
                        && Stream.of("java", "python", "shell")
                                .allMatch(racer -> Files.exists(folder.resolve(racer + ".ready"))));
        Files.createFile(folder.resolve("go"));
        for (int kill = 0; kill < KILLS; kill++) {
            int share = (kill + 1) * KEYS * 4 / 5 / (KILLS + 1);
            Until.isTrue("a share has run", () -> effects().size() >= share);
            String victim = racers.get(random.nextInt(racers.size()));
            running.get(victim).destroyForcibly().waitFor();
            start(victim);
        }
        for (String racer : racers) {
            if (!racer.equals("server")) {
                assertThat(running.get(racer).waitFor(Thorough.times(120, 1200), TimeUnit.SECONDS))
                        .as("%s comes to an end", racer)
                        .isTrue();
            }
        }
        compare();
    }

    private List<String> effects() {
        try {
            Path file = folder.resolve("effects");
            return Files.exists(file) ? Files.readAllLines(file) : List.of();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private void compare() throws IOException {
        Map<String, List<String>> effects = new HashMap<>();
        for (String line : effects()) {
            String[] words = line.split(" ", 2);
            effects.computeIfAbsent(words[0], key -> new ArrayList<>()).add(words[1]);
        }
        assertThat(effects.values()).allSatisfy(each -> assertThat(each).hasSize(1));
        // Of few keys one language may get none, as on a busy machine.
        assertThat(effects.values().stream().flatMap(List::stream).distinct())
                .hasSizeGreaterThanOrEqualTo(Thorough.times(2, 3))
                .isSubsetOf("java", "python", "shell");
        Map<String, Object> seen = new HashMap<>();
        for (String racer : List.of("java", "python", "shell")) {
            List<String> answers = Files.readAllLines(folder.resolve(racer));
            assertThat(answers).as("results that %s read", racer).isNotEmpty();
            for (String line : answers) {
                String[] words = line.split(" ", 2);
                Map<?, ?> result = (Map<?, ?>) Json.parse(words[1]);
                assertThat(seen.merge(words[0], result, (first, other) -> first))
                        .isEqualTo(result);
                assertThat(effects.get(words[0])).containsExactly((String) result.get("by"));
            }
        }
        assertThat(seen).hasSizeGreaterThan(KEYS / 2);
    }

    private static boolean isThere(String command) throws Exception {
        Process process = new ProcessBuilder("sh", "-c", command + " >/dev/null 2>&1").start();
        return process.waitFor() == 0;
    }

    /** Calls every key once, with the library. */
    static final class JavaRacer {
        private JavaRacer() {}

        public static void main(String[] args) throws IOException {
            Path effects = Path.of(args[1]);
            Path answers = Path.of(args[2]);
            List<Integer> open = new ArrayList<>(
                    IntStream.range(0, Integer.parseInt(args[0])).boxed().toList());
            try (Ledger ledger = Ledgers.open(args[3]);
                    Idem idem = Idem.builder().ledger(ledger).quiet().open()) {
                append(Path.of(args[2] + ".ready"), "");
                while (!Files.exists(Path.of("go"))) {
                    Thread.onSpinWait();
                }
                while (!open.isEmpty()) {
                    open.removeIf(key -> isOver(idem, key, effects, answers));
                }
            }
        }

        private static boolean isOver(Idem idem, int key, Path effects, Path answers) {
            Outcome<?> outcome = idem.operation("race")
                    .identity(Map.of("order", key, "cents", 9007199254740993L, "rate", "1.10"))
                    .policy(Policy.unset().lease(Duration.ofSeconds(3)).waitFor(Duration.ZERO))
                    .attempt(call -> {
                        append(effects, key + " java");
                        // So that the others get some of the keys.
                        LockSupport.parkNanos(30_000_000);
                        return Map.of("by", "java", "order", key);
                    });
            if (outcome instanceof Outcome.Replayed<?> replayed) {
                append(answers, key + " " + Json.write(replayed.value()));
            }
            return outcome instanceof Outcome.Replayed || outcome instanceof Outcome.InDoubt;
        }

        private static void append(Path file, String line) {
            try {
                Files.writeString(file, line + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
        }
    }
}
