package dev.idem.mcp;

import static dev.idem.mcp.TestHost.text;
import static org.assertj.core.api.Assertions.assertThat;

import dev.idem.Idem;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Servers that do not end, or do not read. */
class StubbornServerTest {
    private static final Duration HOSTS_WAIT = Duration.ofSeconds(4);

    @TempDir
    Path folder;

    /**
     * The server ends neither with its input nor by a signal. The guard waited 10 seconds for it, but hosts kill the guard
     * 4 seconds after they have closed its input, and the server ran on.
     */
    @Test
    void theServerIsGoneBeforeTheHostKillsTheGuard() throws Exception {
        List<String> stubborn = List.of(
                "sh",
                "-c",
                "trap '' TERM; echo $$ > \"$0\"; while :; do sleep 0.1; done",
                folder.resolve("pid").toString());
        try (Idem idem = Idem.builder().ledger("memory:").quiet().open()) {
            TestHost host = new TestHost(idem, McpOptions.of("stubborn"), Duration.ofSeconds(20), folder, stubborn);
            while (host.lines("pid").isEmpty()) {
                Thread.onSpinWait();
            }
            ProcessHandle server =
                    ProcessHandle.of(Long.parseLong(host.lines("pid").get(0))).orElseThrow();
            long start = System.nanoTime();
            host.end();

            assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(HOSTS_WAIT);
            assertThat(server.isAlive()).isFalse();
        }
    }

    /** The server may have acted on the part that it has read. */
    @Test
    void aCallThatIsReadOnlyInPartIsInDoubt() throws Exception {
        List<String> halfDeaf = List.of("sh", "-c", "head -c 100000 >/dev/null; exec 0<&-; exec sleep 60");
        String arguments = "{\"to\":\"ann\",\"text\":\"" + "x".repeat(1_000_000) + "\"}";
        try (Idem idem = Idem.builder().ledger("memory:").quiet().open();
                TestHost host = new TestHost(idem, McpOptions.of("deaf"), Duration.ofSeconds(20), folder, halfDeaf)) {
            assertThat(text(host.ask(1, "pay", arguments))).contains("unknown whether", "Do not call it again");
        }
    }
}
