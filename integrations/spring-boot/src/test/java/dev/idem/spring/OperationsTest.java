package dev.idem.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idem.Entry;
import dev.idem.Listener;
import dev.idem.http.suite.Received;
import dev.idem.http.suite.Sent;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.Import;

/** The operators' view of Idem: health and meters. */
class OperationsTest {
    private static final String[] SHOWN = {
        "idem.ledger=memory:",
        "management.endpoints.web.exposure.include=health",
        "management.endpoint.health.show-details=always"
    };
    private static final Sent HEALTH = Sent.of("GET", "/actuator/health/idem");

    /** Counts actions, beside the meters. */
    @Import(ShopApplication.class)
    static class Listening implements Listener {
        final AtomicInteger granted = new AtomicInteger();

        @Override
        public void granted(Entry entry) {
            granted.incrementAndGet();
        }
    }

    @Test
    void healthFollowsTheLedgerAndTellsNoSecrets() throws Exception {
        try (App app = App.start(ShopApplication.class, SHOWN)) {
            assertThat(app.send(HEALTH).text()).contains("\"status\":\"UP\"");

            app.idem().ledger().close();
            Received down = app.send(HEALTH);

            assertThat(down.status()).isEqualTo(503);
            assertThat(down.text())
                    .contains("\"status\":\"DOWN\"", "The ledger can't be read", "check idem.ledger")
                    .doesNotContain("memory:");
        }
    }

    @Test
    void theHealthComponentCanBeTurnedOff() throws Exception {
        String[] off = {SHOWN[0], SHOWN[1], "management.health.idem.enabled=false"};
        try (App app = App.start(ShopApplication.class, off)) {
            assertThat(app.send(HEALTH).status()).isEqualTo(404);
        }
    }

    @Test
    void everyEventHasAMeterAndReachesTheListenersOfTheApplication() throws Exception {
        try (App app = App.start(Listening.class, "idem.ledger=memory:")) {
            Sent order = Sent.post("/orders").key("metered").json("{\"item\":\"tea\"}");
            app.send(order);
            app.send(order);

            MeterRegistry meters = app.bean(MeterRegistry.class);
            assertThat(meters.get("idem.runs")
                            .tag("operation", "POST /orders")
                            .counter()
                            .count())
                    .isEqualTo(1);
            assertThat(meters.get("idem.replays").counter().count()).isEqualTo(1);
            assertThat(app.bean(Listening.class).granted).hasValue(1);
        }
    }
}
