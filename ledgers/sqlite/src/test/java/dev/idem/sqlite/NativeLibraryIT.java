package dev.idem.sqlite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThatCode;

import dev.idem.testkit.ChildProcess;
import dev.idem.testkit.Thorough;
import java.io.File;
import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The native library of SQLite is unpacked once. The driver by itself unpacks it for every process, and 363 copies lay in
 * the folder for temporary files after an afternoon of processes that were killed.
 */
@Timeout(120)
class NativeLibraryIT {
    @TempDir
    Path folder;

    private Path cache;
    private Path temporary;
    private int started;

    @BeforeEach
    void makeFolders() throws IOException {
        cache = folder.resolve("cache");
        temporary = Files.createDirectory(folder.resolve("tmp"));
        assumeThatCode(() -> NativeCache.ofUser(Map.of("XDG_CACHE_HOME", folder.toString()), ""))
                .as("the folders above belong to this user or to root")
                .doesNotThrowAnyException();
    }

    @Test
    void processesThatAreKilledLeaveNoLibraryBehind() throws Exception {
        for (int i = 0; i < Thorough.times(1, 3); i++) {
            try (ChildProcess child = start(cache.toString(), "endless")) {
                assertThat(child.line()).startsWith("k");
                child.kill();
            }
        }
        assertThat(temporary).isEmptyDirectory();
        assertThat(files(cache)).hasSize(1);
    }

    @Test
    void processesStartAtOnceWhereItWasNeverUnpacked() throws Exception {
        for (List<String> said :
                ManyProcessesIT.runTogether(Thorough.times(5, 16), i -> start(cache.toString(), "open", "own" + i))) {
            assertThat(said).last().isEqualTo("exit 0");
        }
        assertThat(temporary).isEmptyDirectory();
        assertThat(files(cache)).as("one library, and nothing unfinished").hasSize(1);
    }

    @Test
    void withoutAFolderToKeepItTheDriverUnpacksItAsEver() throws Exception {
        try (ChildProcess child = start("/dev/null/cache", "endless")) {
            assertThat(child.line()).startsWith("k");
            assertThat(files(temporary)).as("the library and its lock").hasSize(2);
        }
    }

    @Test
    void aFolderThatTheUserGaveTheDriverIsUsed() throws Exception {
        Path chosen = Files.createDirectory(folder.resolve("chosen"));
        try (ChildProcess child = start(cache.toString(), List.of("-Dorg.sqlite.tmpdir=" + chosen), "endless")) {
            assertThat(child.line()).startsWith("k");
            assertThat(files(chosen)).as("the library and its lock").hasSize(2);
            assertThat(cache).doesNotExist();
        }
    }

    @Test
    void twoClassLoadersOfOneProcessHaveItWithoutAWordOfComplaint() throws Exception {
        Path said = folder.resolve("stderr");
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "--enable-native-access=ALL-UNNAMED",
                        "-Dslf4j.internal.verbosity=ERROR",
                        "-Djava.io.tmpdir=" + temporary,
                        "-cp",
                        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                        Twice.class.getName())
                .redirectErrorStream(true)
                .redirectOutput(said.toFile())
                .start();
        assertThat(process.waitFor()).isZero();
        assertThat(said).content().isEqualTo("loaded\nloaded\n");
    }

    private ChildProcess start(String cacheHome, String... words) throws IOException {
        return start(cacheHome, List.of(), words);
    }

    private ChildProcess start(String cacheHome, List<String> options, String... words) throws IOException {
        List<String> all = Stream.concat(Stream.of("-Djava.io.tmpdir=" + temporary), options.stream())
                .toList();
        String[] arguments = Stream.concat(
                        Stream.of(
                                words[0],
                                folder.resolve("idem-" + started++ + ".db").toString()),
                        Arrays.stream(words).skip(1))
                .toArray(String[]::new);
        return ChildProcess.start(Map.of("XDG_CACHE_HOME", cacheHome), all, ChildMain.class, arguments);
    }

    private static List<Path> files(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(Files::isRegularFile).toList();
        }
    }

    /** As two applications of one server do. */
    static final class Twice {
        private Twice() {}

        public static void main(String[] arguments) throws Exception {
            URL[] path = Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
                    // Without a provider, which no dependency of the tests brings, it complains for itself.
                    .filter(file -> !file.contains("slf4j-api"))
                    .map(Twice::url)
                    .toArray(URL[]::new);
            for (int i = 0; i < 2; i++) {
                // Left open: with its loader the library would go, and could be loaded again.
                @SuppressWarnings("resource")
                ClassLoader loader = new URLClassLoader(path, ClassLoader.getPlatformClassLoader());
                Class.forName(SqliteNative.class.getName(), true, loader)
                        .getMethod("loadAhead")
                        .invoke(null);
                System.out.println("loaded");
            }
        }

        private static URL url(String entry) {
            try {
                return Path.of(entry).toUri().toURL();
            } catch (MalformedURLException e) {
                throw new IllegalArgumentException(e);
            }
        }
    }
}
