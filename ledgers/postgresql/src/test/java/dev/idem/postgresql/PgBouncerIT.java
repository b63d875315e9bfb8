package dev.idem.postgresql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idem.Idem;
import dev.idem.State;
import dev.idem.spi.Claim;
import dev.idem.spi.GroupRenewing;
import dev.idem.spi.Ledger;
import dev.idem.spi.browse.Browsable;
import dev.idem.spi.browse.Historied;
import dev.idem.testkit.Settlements;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Behind PgBouncer in transaction mode every statement may meet another session of the server. */
@Timeout(120)
class PgBouncerIT {
    private static final int THREADS = 16;
    private static final int KEYS = 200;

    private final TestServer server = TestServer.shared();
    private final String schema = TestServer.newSchema();

    @TempDir
    Path folder;

    private String url(PgBouncer bouncer) {
        return "postgresql://postgres@127.0.0.1:" + bouncer.port() + "/postgres?timeout=60s&schema=" + schema
                + "&pool=16&notify=off&prepareThreshold=0";
    }

    @Test
    void everyStepWorks() throws Exception {
        try (PgBouncer bouncer = PgBouncer.start(server.port(), folder);
                Ledger ledger = server.open(url(bouncer), Requests.HERE)) {
            var ticket = Requests.take(ledger, "k");
            assertThat(ledger.renew(ticket, Duration.ofSeconds(10))).isTrue();
            assertThat(ledger.as(GroupRenewing.class).orElseThrow().renewAll(Map.of(ticket, Duration.ofSeconds(10))))
                    .isEqualTo(GroupRenewing.Unrenewed.lost(Set.of()));
            ledger.settle(ticket, Settlements.completed("1"));
            assertThat(ledger.claim(Requests.request("k"))).isInstanceOf(Claim.Replay.class);
            assertThat(ledger.as(Historied.class).orElseThrow().trail(ticket.address()))
                    .hasSize(2);
            Browsable browsable = ledger.as(Browsable.class).orElseThrow();
            assertThat(browsable.stats().count(State.COMPLETE)).isEqualTo(1);
            assertThat(ledger.forget(ledger.find(ticket.address()).orElseThrow()))
                    .isTrue();
            assertThat(browsable.purge(10)).isZero();
        }
    }

    @Test
    void manyThreadsThatShareFewSessionsRunEachKeyOnce() throws Exception {
        AtomicInteger runs = new AtomicInteger();
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        try (PgBouncer bouncer = PgBouncer.start(server.port(), folder);
                Idem idem = Idem.builder().ledger(url(bouncer)).quiet().open();
                Idem other = Idem.builder().ledger(url(bouncer)).quiet().open()) {
            List<Future<?>> all = new ArrayList<>();
            for (int i = 0; i < KEYS * 4; i++) {
                Idem either = i % 2 == 0 ? idem : other;
                String key = "k" + i / 4;
                all.add(threads.submit(() -> assertThat(either.operation("charge")
                                .key(key)
                                .returning(String.class)
                                .run(call -> {
                                    runs.incrementAndGet();
                                    return key;
                                }))
                        .isEqualTo(key)));
            }
            for (Future<?> one : all) {
                one.get();
            }
        } finally {
            threads.shutdownNow();
        }
        assertThat(runs).hasValue(KEYS);
    }
}
