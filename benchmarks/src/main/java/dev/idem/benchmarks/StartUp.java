package dev.idem.benchmarks;

import dev.idem.lab.TempFolder;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The time of {@code idem run -- true}, from the start of its launcher to its end: a first call and a replay, beside
 * {@code sh -c true} and a Java hello-world program. They take turns.
 */
final class StartUp implements Scenario {
    private static final int WARM_UP = 3;

    @Override
    public String name() {
        return "idem run, start-up";
    }

    @Override
    public List<Row> run(Effort effort) throws Exception {
        Path launcher = launcher();
        if (launcher == null) {
            return List.of(Row.withoutPromise("idem run -- true", "skipped: no launcher above this folder", "", ""));
        }
        if (!Files.exists(launcher.resolveSibling("cli/target/idem-cli.jar"))) {
            return List.of(
                    Row.withoutPromise("idem run -- true", "skipped: not built, mvn -DskipTests package", "", ""));
        }
        try (TempFolder folder = new TempFolder(effort.folder())) {
            return measured(launcher, folder, effort.rounds() * 2);
        }
    }

    private static List<Row> measured(Path launcher, TempFolder folder, int rounds) throws Exception {
        List<String> shell = List.of("sh", "-c", "true");
        List<String> hello = List.of(
                System.getProperty("java.home") + "/bin/java",
                "-cp",
                classPathOf(Hello.class, folder),
                Hello.class.getName());
        double[] bare = new double[rounds];
        double[] java = new double[rounds];
        double[] first = new double[rounds];
        double[] replay = new double[rounds];
        for (int i = -WARM_UP; i < rounds; i++) {
            List<String> idem = List.of(launcher.toString(), "run", "--key", "k" + i, "--", "true");
            double[] took = {time(shell, folder), time(hello, folder), time(idem, folder), time(idem, folder)};
            if (i >= 0) {
                bare[i] = took[0];
                java[i] = took[1];
                first[i] = took[2];
                replay[i] = took[3];
            }
        }
        return List.of(row("first call", first, bare, java), row("replay", replay, bare, java));
    }

    private static Row row(String path, double[] idem, double[] bare, double[] java) {
        double onTop = Units.quantile(idem, 0.5) - Units.quantile(bare, 0.5);
        double hello = Units.quantile(java, 0.5);
        return Row.of(
                "idem run -- true, " + path + " | a Java hello",
                Units.time(Units.quantile(idem, 0.5)),
                Units.time(hello),
                Units.times(Units.quantile(idem, 0.5) / hello) + ", + " + Units.time(onTop) + " on top of sh -c true",
                Budget.START,
                Units.quantile(idem, 0.5) / hello);
    }

    /** In nanoseconds; a failure ends the measurement. */
    private static double time(List<String> words, TempFolder folder) throws IOException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder(words)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .redirectInput(new File("/dev/null"));
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        builder.environment().put("XDG_STATE_HOME", folder.file("state").toString());
        builder.environment().put("XDG_CACHE_HOME", folder.file("cache").toString());
        long start = System.nanoTime();
        int exit = builder.start().waitFor();
        long took = System.nanoTime() - start;
        if (exit != 0) {
            throw new IllegalStateException("exit " + exit + " of " + words);
        }
        return took;
    }

    /** A class path with only this class: a large jar would slow down the floor. */
    static String classPathOf(Class<?> type, TempFolder folder) throws IOException {
        String name = type.getName().replace('.', '/') + ".class";
        Path file = folder.file("alone").resolve(name);
        Files.createDirectories(Objects.requireNonNull(file.getParent()));
        try (InputStream in = Objects.requireNonNull(StartUp.class.getResourceAsStream("/" + name))) {
            Files.copy(in, file);
        }
        return folder.file("alone").toString();
    }

    static @Nullable Path launcher() {
        for (Path at = Path.of("").toAbsolutePath(); at != null; at = at.getParent()) {
            if (Files.isExecutable(at.resolve("idem")) && Files.isDirectory(at.resolve("cli"))) {
                return at.resolve("idem");
            }
        }
        return null;
    }
}
