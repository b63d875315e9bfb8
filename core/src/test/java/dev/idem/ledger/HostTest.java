package dev.idem.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.idem.entry.Moment;
import dev.idem.entry.ProcessRef;
import dev.idem.ledger.Processes.Life;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class HostTest {
    private final Host host = Host.system();

    @BeforeEach
    void onlyWhereProcessesCanBeTold() {
        assumeTrue(Files.exists(Path.of("/proc/self/stat")), "this host has no /proc");
    }

    @Test
    void thisProcessLives() {
        ProcessRef self = host.process(ProcessHandle.current().pid()).orElseThrow();

        assertThat(host.of(self)).isEqualTo(Life.ALIVE);
        assertThat(host.self().process()).isEqualTo(self);
    }

    @Test
    void aProcessThatHasEndedIsDead() throws IOException, InterruptedException {
        Process child = new ProcessBuilder("sleep", "60").start();
        ProcessRef ref = host.process(child.pid()).orElseThrow();
        assertThat(host.of(ref)).isEqualTo(Life.ALIVE);

        child.destroyForcibly();
        child.waitFor();

        assertThat(host.of(ref)).isEqualTo(Life.DEAD);
        assertThat(host.process(child.pid())).isEqualTo(Optional.empty());
    }

    @Test
    void anotherProcessWithTheSamePidIsNotTakenForIt() {
        ProcessRef self = host.process(ProcessHandle.current().pid()).orElseThrow();

        assertThat(host.of(new ProcessRef(self.host(), self.pid(), self.start() - 1)))
                .isEqualTo(Life.DEAD);
    }

    @Test
    void aProcessOfAnotherBootOrNamespaceIsUnknown() {
        ProcessRef self = host.process(ProcessHandle.current().pid()).orElseThrow();

        assertThat(host.of(new ProcessRef("another boot", self.pid(), self.start())))
                .isEqualTo(Life.UNKNOWN);
    }

    @Test
    void theMonotonicClockIsTheSameInEveryProcessOfThisBoot() throws IOException, InterruptedException {
        Moment before = host.now();
        Process child = new ProcessBuilder(
                        ProcessHandle.current().info().command().orElseThrow(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        Clock.class.getName())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        List<String> told = List.of(new String(child.getInputStream().readAllBytes(), StandardCharsets.UTF_8)
                .trim()
                .split(" ", -1));
        assertThat(child.waitFor()).isZero();
        Moment after = host.now();

        assertThat(told.get(0)).isEqualTo(before.boot());
        assertThat(Long.parseLong(told.get(1))).isBetween(before.nanos(), after.nanos());
    }

    /** Tells the time of another process. */
    static final class Clock {
        private Clock() {}

        public static void main(String[] args) {
            Moment now = Host.system().now();
            System.out.println(now.boot() + " " + now.nanos());
        }
    }
}
