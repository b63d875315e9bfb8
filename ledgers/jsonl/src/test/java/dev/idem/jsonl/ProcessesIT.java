package dev.idem.jsonl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.idem.LedgerUnavailableException;
import dev.idem.State;
import dev.idem.spi.Claim;
import dev.idem.testkit.ChildProcess;
import java.io.File;
import java.io.UncheckedIOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** One process at a time has the file; one that is killed leaves what it was told, and the lock. */
@Timeout(120)
class ProcessesIT {
    @TempDir
    Path folder;

    @Test
    void aSecondProcessIsToldWhoHasTheFile() throws Exception {
        Path file = folder.resolve("idem.jsonl");
        try (ChildProcess child = ChildProcess.start(ChildMain.class, "hold", file.toString())) {
            String pid = child.line().replace("open ", "");
            for (int i = 0; i < 2; i++) {
                assertThatThrownBy(() -> Fixtures.open(file))
                        .isInstanceOf(LedgerUnavailableException.class)
                        .hasMessageContaining("is in use by pid " + pid + " on host ")
                        .hasMessageContaining("one process at a time");
            }
            child.say("close");
            assertThat(child.rest()).containsExactly("closed", "exit 0");
        }
        try (TestLedger ledger = Fixtures.open(file)) {
            assertThat(ledger.claim(Fixtures.request("held"))).isInstanceOf(Claim.Replay.class);
        }
    }

    /**
     * Two copies of the library in one process, as in a server of several applications. The second was refused and closed
     * its own descriptor of the lock file, which by the rules of POSIX ends all locks that the process has on it.
     */
    @Test
    void aSecondClassLoaderIsRefusedAndTheLockHolds() throws Exception {
        Path file = folder.resolve("idem.jsonl");
        try (URLClassLoader copy = copyOfThis()) {
            try (TestLedger ledger = Fixtures.open(file)) {
                Fixtures.complete(ledger, "held");
                assertRefused(copy, file);
                // Programs meddle with their properties; the lock must not hang on them alone.
                System.getProperties().remove("dev.idem.jsonl:" + file.toRealPath() + ".lock");
                assertRefused(copy, file);
                assertRefused(copy, file);
                Fixtures.complete(ledger, "after");
            }
            try (AutoCloseable opened = open(copy, file)) {
                assertThatThrownBy(() -> Fixtures.open(file)).hasMessageContaining("another class loader");
                assertThat(opened).isNotNull();
            }
        }
        try (TestLedger ledger = Fixtures.open(file)) {
            assertThat(ledger.claim(Fixtures.request("after"))).isInstanceOf(Claim.Replay.class);
        }
    }

    private static void assertRefused(ClassLoader copy, Path file) throws Exception {
        assertThatThrownBy(() -> open(copy, file))
                .hasMessageContaining("is in use by")
                .hasMessageContaining("another class loader");
        assertThat(toldByChild(file))
                .contains("is in use by pid " + ProcessHandle.current().pid());
    }

    private static URLClassLoader copyOfThis() {
        String path = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
        URL[] places = Arrays.stream(path.split(File.pathSeparator))
                .map(place -> {
                    try {
                        return new File(place).toURI().toURL();
                    } catch (MalformedURLException e) {
                        throw new UncheckedIOException(e);
                    }
                })
                .toArray(URL[]::new);
        return new URLClassLoader(places, ClassLoader.getPlatformClassLoader());
    }

    private static AutoCloseable open(ClassLoader loader, Path file) throws Exception {
        Class<?> fixtures = loader.loadClass(Fixtures.class.getName());
        assertThat(fixtures).isNotEqualTo(Fixtures.class);
        Method open = fixtures.getDeclaredMethod("open", Path.class);
        open.setAccessible(true);
        try {
            return (AutoCloseable) open.invoke(null, file);
        } catch (InvocationTargetException e) {
            throw (Exception) e.getCause();
        }
    }

    private static String toldByChild(Path file) throws Exception {
        try (ChildProcess child = ChildProcess.start(ChildMain.class, "try", file.toString())) {
            return child.line();
        }
    }

    @Test
    void theLockHoldsThroughACompaction() throws Exception {
        Path file = folder.resolve("idem.jsonl");
        try (ChildProcess child = ChildProcess.start(ChildMain.class, "endless", file.toString())) {
            for (int i = 0; i < 200; i++) {
                child.line();
            }
            assertThatThrownBy(() -> Fixtures.open(file)).hasMessageContaining("is in use by pid ");
        }
    }

    @Test
    void whatWasAnsweredSurvivesAKillInTheMiddleOfWriting() throws Exception {
        Path file = folder.resolve("idem.jsonl");
        String last = "";
        try (ChildProcess child = ChildProcess.start(ChildMain.class, "endless", file.toString())) {
            for (int i = 0; i < 300; i++) {
                last = child.line();
            }
            child.kill();
        }
        assertThat(last).isEqualTo("k299");
        try (TestLedger ledger = Fixtures.open(file)) {
            for (int i = 0; i < 300; i++) {
                assertThat(ledger.find(Fixtures.address("k" + i)).orElseThrow().state())
                        .isEqualTo(State.COMPLETE);
            }
        }
    }

    @Test
    void aFileThatMayNotGrowLosesNothing() throws Exception {
        assumeTrue(Files.isExecutable(Path.of("/bin/bash")), "there is no bash to limit the size of files with");
        Path file = folder.resolve("idem.jsonl");
        List<String> said;
        try (ChildProcess child = ChildProcess.startLimited(64, ChildMain.class, "full", file.toString())) {
            said = child.rest();
        }
        assertThat(said).hasSize(3);
        assertThat(said.get(0)).contains("can't grow").contains("nothing was written");
        int done = Integer.parseInt(said.get(1));
        assertThat(done).isGreaterThan(10);
        assertThat(said.get(2)).isEqualTo("exit 0");
        try (TestLedger ledger = Fixtures.open(file)) {
            for (int i = 0; i < done; i++) {
                assertThat(Fixtures.result(
                                ledger.find(Fixtures.address("k" + i)).orElseThrow()))
                        .isEqualTo("\"k" + i + "\"");
            }
            assertThat(Fixtures.complete(ledger, "after").state()).isEqualTo(State.COMPLETE);
        }
    }
}
