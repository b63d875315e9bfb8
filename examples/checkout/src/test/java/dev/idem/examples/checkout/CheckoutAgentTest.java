package dev.idem.examples.checkout;

import static org.assertj.core.api.Assertions.assertThat;

import com.anthropic.client.AnthropicClient;
import com.anthropic.client.okhttp.AnthropicOkHttpClient;
import dev.idem.Idem;
import dev.idem.agent.session.Session;
import dev.idem.agent.session.SessionBuilder;
import dev.idem.agent.shadow.AuditLine;
import dev.idem.agent.shadow.AuditLog;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Other troubles of the agent: a storm of retries, a model that has got stuck, a rehearsal. */
class CheckoutAgentTest {
    private static final int STORM = 16;

    private final Idem idem = Idem.builder().ledger("memory:").quiet().open();

    @AfterEach
    void close() {
        idem.close();
    }

    private String run(World world, SessionBuilder session) {
        AnthropicClient client = AnthropicOkHttpClient.builder()
                .baseUrl(world.url())
                .apiKey("none")
                .maxRetries(0)
                .build();
        try (Session opened = session.id("order-1")
                .tools(CheckoutTools.of(new Remote(world.url())))
                .open()) {
            return new CheckoutAgent(client, opened).run("cus_1");
        } finally {
            client.close();
        }
    }

    private static List<Long> effects(World world) {
        return List.of(world.charges("cus_1"), world.mails("cus_1"), world.orders("cus_1"));
    }

    @Test
    void aStormOfRetriesChargesMailsAndOrdersOnce() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(STORM);
        try (World world = new World()) {
            CountDownLatch gate = new CountDownLatch(1);
            List<Future<String>> runs = new ArrayList<>();
            for (int i = 0; i < STORM; i++) {
                runs.add(threads.submit(() -> {
                    gate.await();
                    return run(world, Session.builder(idem));
                }));
            }
            gate.countDown();

            for (Future<String> one : runs) {
                assertThat(one.get()).isEqualTo("done");
            }
            assertThat(effects(world)).containsOnly(1L);
        } finally {
            threads.shutdownNow();
        }
    }

    @Test
    void aModelThatHasGotStuckIsStoppedAndToldWhatTheResultWas() throws IOException {
        try (World world = new World(new ScriptedModel()::loops)) {
            assertThat(run(world, Session.builder(idem)))
                    .startsWith("stopped: 'charge' is already done; do not call it again")
                    .contains("charge for idem_");
            assertThat(world.charges("cus_1")).isEqualTo(1);
        }
    }

    @Test
    void aRehearsalDoesNothingAndSaysWhatItWouldHaveDone() throws IOException {
        AuditLog.InMemory log = AuditLog.inMemory();
        try (World world = new World()) {
            assertThat(run(world, Session.builder(idem).shadow(log))).isEqualTo("done");
            assertThat(effects(world)).containsOnly(0L);
        }
        assertThat(log.lines()).extracting(AuditLine::tool).containsExactly("charge", "send_email", "create_order");
    }
}
