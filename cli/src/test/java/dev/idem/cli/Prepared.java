package dev.idem.cli;

import dev.idem.sqlite.SqliteNative;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * What the launcher prepares before a first start, made once for all tests of this process: classes that are loaded
 * already, and SQLite's library unpacked. The jars alone, as they are shipped: classes in folders can't be kept.
 */
final class Prepared {
    private static final Path JAR = Path.of("target", "idem-cli.jar").toAbsolutePath();
    private static final long PATIENCE_SECONDS = 60;
    /** As the launcher has them, and for its reasons. */
    private static final List<String> QUICK = List.of(
            "-XX:CompileThresholdScaling=5",
            "-Djava.util.logging.config.file=/dev/null",
            "-Djava.locale.providers=FALLBACK");

    private Prepared() {}

    /** The options of a start of the shipped jar. */
    static List<String> options() {
        List<String> options = new ArrayList<>(QUICK);
        options.addAll(List.of(
                "-XX:SharedArchiveFile=" + Folder.MADE.resolve("classes.jsa"), library(), "-jar", JAR.toString()));
        return options;
    }

    /** Where SQLite's library is, so that a process need not unpack it, and a killed one leaves none. */
    static String library() {
        return "-Dorg.sqlite.lib.path="
                + SqliteNative.unpackTo(Folder.MADE).map(Path::toString).orElse("");
    }

    private static final class Folder {
        static final Path MADE = make();

        private static Path make() {
            try {
                Path folder = Files.createTempDirectory("prepared-");
                Runtime.getRuntime().addShutdownHook(new Thread(() -> remove(folder)));
                List<String> warmUp = new ArrayList<>(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
                warmUp.addAll(QUICK);
                warmUp.addAll(List.of(
                        "-Dorg.sqlite.lib.path="
                                + SqliteNative.unpackTo(folder)
                                        .map(Path::toString)
                                        .orElse(""),
                        "-XX:DumpLoadedClassList=" + folder.resolve("classes"),
                        "-cp",
                        JAR.toString(),
                        WarmUp.class.getName(),
                        folder.toString()));
                java(warmUp);
                // Archives hold objects only if G1 dumps them.
                java(List.of(
                        "-XX:+UseG1GC",
                        "-Xshare:dump",
                        "-XX:SharedClassListFile=" + folder.resolve("classes"),
                        "-XX:SharedArchiveFile=" + folder.resolve("classes.jsa"),
                        "-cp",
                        JAR.toString()));
                return folder;
            } catch (IOException | InterruptedException e) {
                throw new AssertionError(e);
            }
        }

        private static void java(List<String> words) throws IOException, InterruptedException {
            List<String> command = new ArrayList<>(List.of(Idems.JAVA, "-Xlog:disable"));
            command.addAll(words);
            Process java = new ProcessBuilder(command)
                    .redirectInput(
                            ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            if (!java.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS) || java.exitValue() != 0) {
                java.destroyForcibly();
                throw new AssertionError("the classes can't be made ready");
            }
        }

        private static void remove(Path folder) {
            try (Stream<Path> all = Files.walk(folder)) {
                for (Path each : all.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(each);
                }
            } catch (IOException e) {
                throw new AssertionError(e);
            }
        }
    }
}
