package dev.idem.mcp;

import static dev.idem.mcp.TestHost.call;
import static dev.idem.mcp.TestHost.text;
import static org.assertj.core.api.Assertions.assertThat;

import dev.idem.Idem;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** More calls are open than a process can have threads. Each open call had threads of its own. */
class ManyCallsTest extends HttpCase {
    private static final int CALLS = 500;

    @Override
    Duration ping() {
        return Duration.ofSeconds(1);
    }

    /** Threads of guards that have work. */
    private static long threads() {
        return Thread.getAllStackTraces().entrySet().stream()
                .filter(each -> each.getKey().getName().equals("idem-mcp"))
                .filter(each -> Arrays.stream(each.getValue())
                        .noneMatch(frame -> frame.getMethodName().equals("getTask")))
                .count();
    }

    private static String ofCall(int number) {
        return "{\"to\":\"" + number + "\"}";
    }

    @Test
    void openCallsOnStdioWaitWithoutAThread(@TempDir Path home) throws Exception {
        try (Idem memory = Idem.builder().ledger("memory:").quiet().open();
                TestHost host = new TestHost(memory, McpOptions.of("fixture"), home)) {
            long before = threads();
            for (int i = 1; i <= CALLS; i++) {
                host.send(call(i, "slow", ofCall(i)));
            }
            // The guard reads in order, so it has all calls then.
            host.send("{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"ping\"}");
            host.answer(0);

            assertThat(threads() - before).isLessThan(CALLS - 100);
            host.letGo();
            for (int i = 1; i <= CALLS; i++) {
                assertThat(text(host.answer(i))).startsWith("slow done");
            }
        }
    }

    @Test
    void openCallsOverHttpWaitWithoutAThread() throws Exception {
        long before = threads();
        List<CompletableFuture<HttpResponse<String>>> calls = new ArrayList<>();
        for (int i = 1; i <= CALLS; i++) {
            calls.add(client.sendAsync(
                    request(guarded)
                            .POST(BodyPublishers.ofString(call(i, "late", ofCall(i))))
                            .build(),
                    BodyHandlers.ofString()));
        }
        Eventually.isTrue("as many calls as may run", () -> server.effects.size() >= 200);
        String ping = "{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"ping\"}";
        assertThat(post(guarded, ping).statusCode()).isEqualTo(200);

        assertThat(threads() - before).isLessThan(CALLS);
        assertThat(server.effects).hasSize(200);
        server.go.countDown();
        for (CompletableFuture<HttpResponse<String>> each : calls) {
            assertThat(text(last(each.get(60, TimeUnit.SECONDS)))).isEqualTo("late done");
        }
        assertThat(server.effects).hasSize(CALLS);
    }
}
