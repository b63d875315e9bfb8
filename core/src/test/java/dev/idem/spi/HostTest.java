package dev.idem.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.idem.spi.Processes.Life;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

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
    void aBootAndItsNamespacesAreShortAsTheyArePartOfEveryEntry(@TempDir Path proc) throws IOException {
        Files.createDirectories(proc.resolve("sys/kernel/random"));
        Files.writeString(proc.resolve("sys/kernel/random/boot_id"), "00112233-4455-6677-8899-aabbccddeeff\n");
        Files.createDirectories(proc.resolve("self/ns"));
        Files.createSymbolicLink(proc.resolve("self/ns/time"), Path.of("time:[4026531834]"));

        assertThat(Host.of(proc).now().boot()).isEqualTo("ABEiM0RVZneImaq7zN3u_w/4026531834");
    }

    /** A pid alone says nothing to a person who looks at the entries of many hosts. */
    @Test
    void anOwnerIsNamedByItsUserAndItsHost(@TempDir Path proc) throws IOException {
        Files.createDirectories(proc.resolve("sys/kernel"));
        Files.writeString(proc.resolve("sys/kernel/hostname"), "web-1\n");

        assertThat(Host.of(proc).name(17)).isEqualTo(System.getProperty("user.name") + "@web-1 pid 17");
    }

    /** Mounted with hidepid, /proc shows no process of other users: a living owner was taken for dead. */
    @Test
    void whereLivingProcessesAreHiddenNoProcessIsKnownToBeDead(@TempDir Path proc) throws IOException {
        Files.createDirectories(proc.resolve("sys/kernel/random"));
        Files.writeString(proc.resolve("sys/kernel/random/boot_id"), "a-boot");
        Files.createDirectories(proc.resolve("self/ns"));
        Files.createSymbolicLink(proc.resolve("self/ns/pid"), Path.of("pid:[4026531836]"));
        Host hiding = Host.of(proc);
        ProcessRef unseen = new ProcessRef("a-boot/4026531836", 77, 1);
        assertThat(hiding.of(unseen)).isEqualTo(Life.UNKNOWN);
        assertThat(hiding.process(77)).isEmpty();

        Files.createDirectories(proc.resolve("1"));
        Files.writeString(proc.resolve("1/stat"), "1 (init) S 0");
        assertThat(Host.of(proc).of(unseen)).isEqualTo(Life.DEAD);
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
