package dev.idem.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.idem.cli.Idems.Started;
import dev.idem.cli.InProcess.Ran;
import dev.idem.testkit.Thorough;
import dev.idem.testkit.Until;
import java.io.File;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Looking makes nothing, and needs no right to write. */
class LookingIT extends ProcessCase {
    private static final List<String> LOOKS = List.of("ls", "show k", "why k", "stats", "export", "watch --for 1ms");

    private List<String> files() throws IOException {
        try (Stream<Path> all = Files.list(home)) {
            return all.map(file -> file.getFileName().toString())
                    .filter(name -> !name.startsWith("std"))
                    .sorted()
                    .toList();
        }
    }

    static Stream<String> schemes() {
        return Thorough.first(1, "sqlite", "jsonl");
    }

    @ParameterizedTest
    @MethodSource("schemes")
    void lookingAtAMistypedPathMakesNothing(String scheme) throws IOException {
        for (String look : LOOKS.subList(0, Thorough.times(4, LOOKS.size()))) {
            Ran ran = idems.run((look + " --ledger " + scheme + ":mistyped.db").split(" ", -1));
            assertThat(ran.exit()).as(look).isEqualTo(2);
            assertThat(ran.err()).contains("there is no ledger at").contains("mistyped.db");
        }
        assertThat(files()).isEmpty();
    }

    @Test
    void beforeTheFirstRunThereIsNothingToSee() throws IOException {
        assertThat(idems.run("ls").exit()).isZero();
        assertThat(idems.run("show", "k").exit()).isEqualTo(5);
        assertThat(idems.run("doctor").exit()).isZero();
        assertThat(files()).isEmpty();
    }

    @Test
    void aLedgerIsLookedAtWithoutWritingToIt() throws IOException {
        idems.with("IDEM_LEDGER", "sqlite:idem.db");
        idems.run("run", "--key", "k", "--", "echo", "out");
        Path file = home.resolve("idem.db");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("r--------"));
        byte[] before = Files.readAllBytes(file);
        for (String look : LOOKS.subList(0, Thorough.times(4, LOOKS.size()))) {
            Ran ran = idems.run(look.split(" ", -1));
            assertThat(ran.exit()).as(look + ran.err()).isZero();
        }
        assertThat(idems.run("ls").out()).contains("complete");
        assertThat(Files.readAllBytes(file)).isEqualTo(before);
    }

    /** As another user: root may write to every file. */
    @Test
    @Tag("proof")
    void aLedgerIsLookedAtWithoutARightToWriteToIt() throws IOException {
        String ledger = "sqlite:" + home.resolve("idem.db");
        idems.run("run", "--key", "k", "--ledger", ledger, "--", "echo", "out");
        Set<PosixFilePermission> mode = Files.getPosixFilePermissions(home);
        Files.setPosixFilePermissions(home.resolve("idem.db"), PosixFilePermissions.fromString("r--r--r--"));
        Files.setPosixFilePermissions(home.resolve("idem.db.lock"), PosixFilePermissions.fromString("r--r--r--"));
        Files.setPosixFilePermissions(home, PosixFilePermissions.fromString("r-xr-xr-x"));
        try {
            assumeTrue(
                    asNobody("test", "-r", home.resolve("idem.db").toString()).exit() == 0, "root, and setpriv");
            assumeTrue(asNobody(
                                    "test",
                                    "-r",
                                    Path.of("target/idem-cli.jar")
                                            .toAbsolutePath()
                                            .toString())
                            .exit()
                    == 0);
            for (String look : LOOKS.subList(0, Thorough.times(4, LOOKS.size()))) {
                List<String> words = new ArrayList<>(List.of(look.split(" ", -1)));
                words.addAll(List.of("--ledger", ledger));
                Ran ran = asNobody(Idems.command(List.of("-Djava.io.tmpdir=/tmp"), words.toArray(String[]::new))
                        .toArray(String[]::new));
                assertThat(ran.exit()).as(look + ran.err()).isZero();
            }
        } finally {
            Files.setPosixFilePermissions(home, mode);
        }
    }

    private Ran asNobody(String... words) {
        List<String> command = new ArrayList<>(
                List.of("sh", "-c", "exec setpriv --reuid=65534 --regid=65534 --clear-groups -- \"$@\"", "sh"));
        command.addAll(List.of(words));
        return idems.start(Redirect.from(new File("/dev/null")), command).end();
    }

    /** It read the file of a JSONL ledger once, and showed no entry that came later. */
    @ParameterizedTest
    @MethodSource("schemes")
    void aWatchSeesWhatOthersWrite(String scheme) {
        String ledger = scheme + ":idem.db";
        idems.run("claim", "before", "--ledger", ledger);
        Started watch = idems.start("watch", "--every", "50ms", "--ledger", ledger);
        AtomicInteger count = new AtomicInteger();
        Until.isTrue("it tells of an entry that came after its first look", () -> {
            idems.run("claim", "later-" + count.incrementAndGet(), "--ledger", ledger);
            return !told(watch).isEmpty();
        });
        assertThat(told(watch)).contains("later-");
        Idems.signal("TERM", watch.process.pid());
        assertThat(watch.end().exit()).isEqualTo(143);
    }

    private static String told(Started watch) {
        try {
            return Files.readString(watch.stdout());
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}
