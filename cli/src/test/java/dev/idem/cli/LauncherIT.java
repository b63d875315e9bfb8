package dev.idem.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.idem.cli.Idems.Started;
import dev.idem.cli.InProcess.Ran;
import java.io.File;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The script {@code idem} in the root of the repository. */
class LauncherIT extends ProcessCase {
    @TempDir
    static Path cache;

    private static Path root;

    @BeforeAll
    static void findRoot() {
        root = launcher().getParent();
    }

    /** The script, and what it starts. */
    static Path launcher() {
        Path folder = Path.of("").toAbsolutePath();
        while (folder != null && !Files.exists(folder.resolve("idem"))) {
            folder = folder.getParent();
        }
        assumeTrue(folder != null, "there is no launcher above the working directory");
        assumeTrue(
                Files.exists(folder.resolve("cli/target/idem-cli.jar")),
                "cli/target/idem-cli.jar is not built; run the package phase first");
        return folder.resolve("idem");
    }

    @BeforeEach
    void open() {
        idems.with("XDG_CACHE_HOME", cache.toString()).with("JAVA_HOME", System.getProperty("java.home"));
    }

    private Started start(Path launcher, String... words) {
        List<String> command = new ArrayList<>(List.of(launcher.toString()));
        command.addAll(List.of(words));
        return idems.start(Redirect.from(new File("/dev/null")), command);
    }

    private Ran idem(String... words) {
        return start(root.resolve("idem"), words).end();
    }

    private static Path script(Path file, String text) throws IOException {
        Files.createDirectories(file.getParent());
        Files.writeString(file, "#!/bin/sh\n" + text + "\n");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwx------"));
        return file;
    }

    @Test
    void runsFromAnotherDirectoryThroughSymbolicLinks() throws IOException {
        Path link = Files.createSymbolicLink(home.resolve("one"), root.resolve("idem"));
        Path second = Files.createDirectory(home.resolve("bin")).resolve("two");
        Files.createSymbolicLink(second, Path.of("../one"));
        Ran ran = start(second, "run", "--key", "k", "--", "pwd").end();
        assertThat(ran.err()).isEmpty();
        assertThat(ran.out()).isEqualTo(home.toRealPath() + "\n");
        Ran doubt = start(second, "run", "--key", "j", "--", "false").end();
        assertThat(doubt.exit()).isEqualTo(1);
        assertThat(doubt.err()).contains(second + " resolve j --as failed");
        Files.delete(link);
    }

    @Test
    void twoCallsOneEffect() throws IOException {
        for (int i = 0; i < 2; i++) {
            Ran ran = idem("run", "--key", "k", "--", "sh", "-c", "echo x >>effects; echo out");
            assertThat(ran.exit()).isZero();
            assertThat(ran.out()).isEqualTo("out\n");
        }
        assertThat(Files.readAllLines(home.resolve("effects"))).hasSize(1);
    }

    @Test
    void wordsArriveAsTheyWereTypedInAnyLocale() {
        for (String locale : new String[] {"C", "C.UTF-8", "", "xx_XX.UTF-8"}) {
            idems.with("LC_ALL", locale).with("LANG", null);
            Ran ran = idem(
                    "run", "--key", "k" + locale, "--", "printf", "<%s>", "a b", "", "*", "'\"$x\\", "l\nm", "grün €");
            assertThat(ran.out()).isEqualTo("<a b><><*><'\"$x\\><l\nm><grün €>");
        }
    }

    @Test
    void bytesThatAreNoTextAreRefusedAndNothingRuns() {
        for (String locale : new String[] {"C", "C.UTF-8"}) {
            idems.with("LC_ALL", locale).with("LANG", null);
            String line = "exec '" + root.resolve("idem")
                    + "' run --key k --json -- sh -c 'echo x >>effects' \"$(printf 'a\\377b')\"";
            Ran ran = idems.start(Redirect.from(new File("/dev/null")), List.of("sh", "-c", line))
                    .end();
            assertThat(ran.exit()).as(ran.err()).isEqualTo(2);
            assertThat(ran.error().get("message").toString()).contains("can't be passed on exactly", "Nothing was run");
        }
        assertThat(home.resolve("effects")).doesNotExist();
    }

    /** The JVM's first file would get the free descriptor: the command read 128 MB of it as its stdin. */
    @Test
    void aClosedStdinIsEmpty() throws IOException {
        Ran ran = shell("run --key k -- wc -c <&-");
        assertThat(ran.out().strip()).as(ran.err()).isEqualTo("0");
        ran = shell("batch --key b -- echo {} <&-");
        assertThat(ran.exit()).as(ran.err()).isZero();
        ran = shell("mcp -- cat <&-");
        assertThat(ran.exit()).as(ran.err()).isZero();
        assertThat(ran.out()).isEmpty();
    }

    /** What was done is recorded, and none of it lands in a file that took the free descriptor. */
    @Test
    void whatWritesToAClosedStdoutOrStderrIsRecordedAndHarmsNoFile() {
        Ran ran = shell("run --key k -- sh -c 'echo x >>effects; echo out; echo err >&2' <&- >&- 2>&-");
        assertThat(ran.exit()).isZero();
        ran = idem("run", "--key", "k", "--", "sh", "-c", "echo x >>effects; echo out; echo err >&2");
        assertThat(ran.exit()).as(ran.err()).isZero();
        assertThat(ran.out()).isEqualTo("out\n");
        assertThat(ran.err()).contains("err\n", "replay of 'k'");
        assertThat(home.resolve("effects")).hasContent("x\n");
        assertThat(idem("doctor").exit()).isZero();
    }

    private Ran shell(String line) {
        return idems.start(
                        Redirect.from(new File("/dev/null")),
                        List.of("sh", "-c", "exec '" + root.resolve("idem") + "' " + line))
                .end();
    }

    /** The C library kept memory apart for groups of a server's threads: 100 MB beside a heap of 128 MB. */
    @Test
    void onlyAServerSharesItsNativeMemory() throws IOException {
        Path java = Files.createDirectories(home.resolve("jdk/bin")).resolve("java");
        Files.writeString(java, """
                #!/bin/sh
                [ "$1" != -version ] || echo 'openjdk version "17.0.1"' >&2
                echo "${MALLOC_ARENA_MAX-unset}"
                """);
        Files.setPosixFilePermissions(java, PosixFilePermissions.fromString("rwx------"));
        idems.with("JAVA_HOME", home.resolve("jdk").toString()).with("MALLOC_ARENA_MAX", null);
        assertThat(idem("serve").out()).isEqualTo("2\n");
        assertThat(idem("run").out()).isEqualTo("unset\n");
        idems.with("MALLOC_ARENA_MAX", "4");
        assertThat(idem("serve").out()).isEqualTo("4\n");
    }

    /** Java answers QUIT with the stacks of its threads; on stdout they were in the middle of JSON and of MCP messages. */
    @Test
    void whatJavaWritesAfterASignalQuitIsNotOnStdout() {
        Started waiting = start(
                root.resolve("idem"), "run", "--json", "--key", "k", "--", "sh", "-c", "kill -QUIT $PPID; sleep 1");
        Ran ran = waiting.end();
        assertThat(ran.exit()).as(ran.err()).isZero();
        assertThat(ran.json()).containsEntry("ok", true);
    }

    @Test
    @Tag("proof")
    void theCommandKeepsItsLocale() {
        String[] line = {"run", "--key", "k", "--", "sh", "-c", "echo ${LC_ALL-unset} ${IDEM_OUTER_LC_ALL-unset}"};
        idems.with("LC_ALL", "C").with("LANG", null);
        assertThat(idem(line).out()).isEqualTo("C unset\n");
        line[2] = "i";
        idems.with("LC_ALL", "xx_XX.UTF-8");
        assertThat(idem(line).out()).isEqualTo("xx_XX.UTF-8 unset\n");
        line[2] = "j";
        idems.with("LC_ALL", null);
        assertThat(idem(line).out()).isEqualTo("unset unset\n");
    }

    @Test
    @Tag("proof")
    void worksWithoutACacheFolder() {
        idems.with("XDG_CACHE_HOME", "/dev/null/cache");
        assertThat(idem("run", "--key", "k", "--", "echo", "out").out()).isEqualTo("out\n");
        idems.with("XDG_CACHE_HOME", null).with("HOME", "");
        assertThat(idem("run", "--key", "k", "--", "echo", "out").out()).isEqualTo("out\n");
    }

    /** As with sudo, which may keep the home of the user: that user's library would run as root. */
    @Test
    @Tag("proof")
    void theCacheFolderOfAnotherUserIsNotUsed() throws IOException {
        assumeTrue(System.getProperty("user.name").equals("root"), "only root can give folders away");
        Path strange = Files.createDirectory(home.resolve("strange"));
        Files.setOwner(
                strange, strange.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName("nobody"));
        for (String variable : new String[] {"XDG_CACHE_HOME", "HOME"}) {
            idems.with("XDG_CACHE_HOME", null).with(variable, strange.toString());
            assertThat(idem("run", "--key", "k", "--", "echo", "out").out()).isEqualTo("out\n");
            assertThat(strange).isEmptyDirectory();
        }
    }

    /** Its owner was looked at, and not who else may write to it. */
    @ParameterizedTest
    @ValueSource(strings = {"", "idem"})
    @Tag("proof")
    void aCacheFolderThatOthersMayWriteToIsNotUsed(String below) throws IOException {
        Path shared = Files.createDirectories(home.resolve("shared").resolve(below));
        for (String mode : new String[] {"rwxrwx---", "rwx----w-"}) {
            Files.setPosixFilePermissions(shared, PosixFilePermissions.fromString(mode));
            idems.with("XDG_CACHE_HOME", home.resolve("shared").toString());
            assertThat(idem("run", "--key", "k", "--", "echo", "out").out()).isEqualTo("out\n");
            try (Stream<Path> files = Files.walk(shared)) {
                assertThat(files.filter(file -> file.toString().contains("classes")))
                        .as(mode)
                        .isEmpty();
            }
        }
    }

    /** The launcher named its own copy of the library without comparing it with the driver's. */
    @Test
    void aNativeLibraryThatWasChangedIsNotLoaded() throws IOException {
        Path own = home.resolve("cache");
        idems.with("XDG_CACHE_HOME", own.toString());
        idem("run", "--key", "k", "--", "echo", "out");
        List<Path> libraries = libraries(own);
        assumeFalse(libraries.isEmpty(), "others may write to a folder above the build");
        for (Path library : libraries) {
            Files.writeString(library, "changed");
        }
        assertThat(idem("run", "--key", "k", "--", "echo", "out").out()).isEqualTo("out\n");
        for (Path library : libraries) {
            assertThat(Files.size(library)).as(library.toString()).isGreaterThan(100_000);
        }
    }

    private static List<Path> libraries(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(file -> file.getFileName().toString().startsWith("libsqlitejdbc"))
                    .toList();
        }
    }

    /** A copy of the launcher in a root without a build, and a Maven that only pretends. */
    private Path unbuilt(String maven) throws IOException {
        Path copy = home.resolve("root/idem");
        Files.createDirectories(copy.getParent());
        Files.copy(root.resolve("idem"), copy);
        script(home.resolve("tools/mvn"), "echo \"$@\" >>'" + home + "/maven'\n" + maven);
        idems.with("PATH", home.resolve("tools") + ":" + System.getenv("PATH")).with("XDG_CACHE_HOME", "/dev/null");
        return copy;
    }

    private static String copyTheBuild() {
        return "sleep 1; cp -R '" + root + "/cli/target/lib' '" + root + "/cli/target/idem-cli.jar' cli/target/";
    }

    @Test
    void ofTwoFirstUsesAtOnceOneBuilds() throws IOException {
        Path launcher = unbuilt(copyTheBuild());
        Started one = start(launcher, "run", "--key", "a", "--", "echo", "one");
        Started two = start(launcher, "run", "--key", "b", "--", "echo", "two");
        Ran first = one.end();
        Ran second = two.end();
        assertThat(first.out() + second.out()).as(first.err() + second.err()).isEqualTo("one\ntwo\n");
        assertThat(first.err() + second.err()).contains("first use: building with Maven");
        assertThat(Files.readAllLines(home.resolve("maven"))).hasSize(1);
        assertThat(start(launcher, "run", "--key", "c", "--", "echo", "three")
                        .end()
                        .err())
                .isEmpty();
    }

    @Test
    void aProgramThatWantsAnAnswerAtOnceIsToldThatNothingIsBuilt() throws IOException {
        Path launcher = unbuilt(copyTheBuild());
        idems.with("IDEM_NO_BUILD", "1");
        Ran ran = start(launcher, "serve", "--stdio").end();
        assertThat(ran.err())
                .isEqualTo(
                        "idem: it is not built yet; run " + launcher + " version once, which takes a minute or two\n");
        assertThat(ran.exit()).isEqualTo(1);
        assertThat(home.resolve("maven")).doesNotExist();
    }

    @Test
    void aDeadBuildersLockIsClearedAway() throws IOException, InterruptedException {
        Path launcher = unbuilt(copyTheBuild());
        Process gone = new ProcessBuilder("true").start();
        gone.waitFor();
        Path lock = Files.createDirectories(home.resolve("root/cli/target/first-build.lock"));
        Files.writeString(lock.resolve("pid"), gone.pid() + "\n");
        assertThat(start(launcher, "run", "--key", "a", "--", "echo", "one")
                        .end()
                        .out())
                .isEqualTo("one\n");
        assertThat(lock).doesNotExist();
    }

    @Test
    void aFailedBuildShowsItsLogAndRunsNothing() throws IOException {
        Path launcher = unbuilt("echo 'it is broken'; exit 1");
        Ran ran = start(launcher, "run", "--key", "a", "--", "echo", "one").end();
        assertThat(ran.exit()).isEqualTo(1);
        assertThat(ran.out()).isEmpty();
        assertThat(ran.err()).contains("it is broken").contains("the build failed; the whole log is in");
        assertThat(home.resolve("root/cli/target/first-build.lock")).doesNotExist();
    }

    @Test
    void anOldJavaIsRefused() throws IOException {
        script(home.resolve("old/bin/java"), "echo 'openjdk version \"11.0.2\" 2019-01-15' >&2");
        Path launcher = unbuilt("exit 1");
        idems.with("JAVA_HOME", home.resolve("old").toString());
        Ran ran = start(launcher, "--version").end();
        assertThat(ran.exit()).isEqualTo(1);
        assertThat(ran.err()).contains("is version 11; idem needs 17 or newer");
    }
}
