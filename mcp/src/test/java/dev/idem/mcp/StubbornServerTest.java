package dev.idem.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idem.Idem;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A server that ends neither with its input nor by a signal. The guard waited 10 seconds for such a server, but hosts kill
 * the guard 4 seconds after they have closed its input, and the server ran on.
 */
class StubbornServerTest {
    private static final Duration HOSTS_WAIT = Duration.ofSeconds(4);

    @TempDir
    Path folder;

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
}
