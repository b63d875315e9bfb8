package dev.idem.benchmarks;

import dev.idem.Idem;
import dev.idem.lab.TempFolder;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Calls from node and from Python through their packages, over a pipe to a server on SQLite, beside the same calls in
 * Java. Each program times its own calls; Java's are timed before and after them.
 */
final class Packages implements Scenario {
    private static final int CALLS = 3000;
    private static final double NANOS_A_MILLI = 1e6;

    /**
     * A program that prints its figures.
     *
     * @param made the file that has to be there
     */
    private record Program(
            String name, Path made, List<String> command, String first, String replay, String inFlight) {}

    @Override
    public String name() {
        return "packages";
    }

    private static List<Program> programs(Path root) {
        Path node = root.resolve("clients/packages/target/clients/typescript/dist/bench/bench.js");
        Path python = root.resolve("clients/python/bench/calls.py");
        String calls = Integer.toString(CALLS);
        return List.of(
                new Program(
                        "node",
                        node,
                        List.of("node", node.toString(), calls),
                        "pipe, measured: first call +p50 ([0-9.]+) ms",
                        "pipe, measured: replay +p50 ([0-9.]+) ms",
                        "pipe: 1,000 first calls in flight took ([0-9.]+) ms"),
                new Program(
                        "Python",
                        python,
                        List.of("python3", python.toString(), calls),
                        "pipe: first call +p50 ([0-9.]+) ms",
                        "pipe: replay +p50 ([0-9.]+) ms",
                        "pipe: 1000 calls in flight at once: ([0-9.]+) s"));
    }

    @Override
    public List<Row> run(Effort effort) throws Exception {
        Path launcher = StartUp.launcher();
        if (launcher == null) {
            return List.of(Row.withoutPromise("packages", "skipped: no launcher above this folder", "", ""));
        }
        List<Row> rows = new ArrayList<>();
        for (Program program : programs(Objects.requireNonNull(launcher.getParent()))) {
            if (Files.exists(program.made())) {
                rows.addAll(measured(effort, launcher, program));
            } else {
                String why = "skipped: there is no " + program.made().getFileName() + " yet";
                rows.add(Row.withoutPromise("calls from " + program.name(), why, "", ""));
            }
        }
        return rows;
    }

    private static List<Row> measured(Effort effort, Path launcher, Program program) throws Exception {
        try (TempFolder folder = new TempFolder(effort.folder());
                Idem idem = Idem.builder()
                        .ledger("sqlite:" + folder.file("java.db"))
                        .quiet()
                        .open()) {
            calls(idem, "warm");
            double[] before = {calls(idem, "a"), calls(idem, "a")};
            String said = said(launcher, program, folder);
            double[] after = {calls(idem, "b"), calls(idem, "b")};
            double java = (before[0] + after[0]) / 2;
            double first = number(program.first(), said) * NANOS_A_MILLI;
            double replay = number(program.replay(), said) * NANOS_A_MILLI;
            double all = number(program.inFlight(), said) * (program.inFlight().endsWith(" s") ? 1000 : 1);
            return List.of(
                    Row.of(
                            "first call from " + program.name() + ", SQLite | from Java",
                            Units.time(first),
                            Units.time(java),
                            "",
                            Budget.FIRST_CALL_OVER_A_PIPE,
                            first - 1.5 * java),
                    Row.of(
                            "replay from " + program.name() + ", SQLite | from Java",
                            Units.time(replay),
                            Units.time((before[1] + after[1]) / 2),
                            "",
                            Budget.REPLAY_OVER_A_PIPE,
                            replay),
                    Row.withoutPromise(
                            "1,000 calls in flight from " + program.name(), Units.time(all * NANOS_A_MILLI), "", ""));
        }
    }

    /** The median time of calls with these keys, in nanoseconds. */
    private static double calls(Idem idem, String name) {
        double[] took = new double[CALLS];
        for (int i = 0; i < CALLS; i++) {
            long start = System.nanoTime();
            idem.operation("charge").identity(Map.of("order", name, "n", i)).run(call -> Map.of("id", "ch_1"));
            took[i] = System.nanoTime() - start;
        }
        return Units.quantile(took, 0.5);
    }

    private static String said(Path launcher, Program program, TempFolder folder)
            throws IOException, InterruptedException {
        Path said = folder.file("said");
        ProcessBuilder builder =
                new ProcessBuilder(program.command()).redirectErrorStream(true).redirectOutput(said.toFile());
        Map<String, String> environment = builder.environment();
        environment.put("IDEM", launcher.toString());
        environment.put("JAVA_HOME", System.getProperty("java.home"));
        environment.put("TMPDIR", folder.file("tmp").toString());
        environment.put("XDG_CACHE_HOME", folder.file("cache").toString());
        environment.put("PYTHONDONTWRITEBYTECODE", "1");
        environment.put("PYTHONPATH", String.valueOf(launcher.resolveSibling("clients/python/src")));
        Files.createDirectories(folder.file("tmp"));
        Process process = builder.start();
        try {
            process.waitFor();
        } finally {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
        return Files.readString(said, StandardCharsets.UTF_8);
    }

    private static double number(String form, String said) {
        @Nullable String found = null;
        Matcher matcher = Pattern.compile(form).matcher(said);
        if (matcher.find()) {
            found = matcher.group(1);
        }
        if (found == null) {
            throw new IllegalStateException("no '" + form + "' in\n" + said);
        }
        return Double.parseDouble(found);
    }
}
