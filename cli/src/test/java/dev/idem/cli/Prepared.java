package dev.idem.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
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

    private Prepared() {}

    /** The options of a start of the shipped jar. */
    static List<String> options() {
        return List.of(
                "-XX:SharedArchiveFile=" + Folder.MADE.resolve("classes.jsa"), library(), "-jar", JAR.toString());
    }

    /** Where SQLite's library is, so that a process need not unpack it, and a killed one leaves none. */
    static String library() {
        return "-Dorg.sqlite.lib.path=" + Folder.MADE;
    }

    private static final class Folder {
        static final Path MADE = make();

        private static Path make() {
            try {
                Path folder = Files.createTempDirectory("prepared-");
                Runtime.getRuntime().addShutdownHook(new Thread(() -> remove(folder)));
                Process warmUp = new ProcessBuilder(
                                Idems.JAVA,
                                "-XX:+UseSerialGC",
                                "-Xlog:disable",
                                "-Dorg.sqlite.tmpdir=" + folder,
                                "-XX:ArchiveClassesAtExit=" + folder.resolve("classes.jsa"),
                                "-cp",
                                JAR.toString(),
                                WarmUp.class.getName(),
                                folder.toString())
                        .redirectInput(ProcessBuilder.Redirect.from(
                                Path.of("/dev/null").toFile()))
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .redirectError(ProcessBuilder.Redirect.DISCARD)
                        .start();
                if (!warmUp.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS) || warmUp.exitValue() != 0) {
                    warmUp.destroyForcibly();
                    throw new AssertionError("the classes can't be made ready");
                }
                return folder;
            } catch (IOException | InterruptedException e) {
                throw new AssertionError(e);
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
