package dev.idem.postgresql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idem.Entry;
import dev.idem.spi.Claim;
import dev.idem.spi.Ledger;
import dev.idem.spi.Retention;
import dev.idem.spi.TakeOver;
import dev.idem.spi.Ticket;
import dev.idem.spi.browse.Browsable;
import dev.idem.spi.browse.Query;
import dev.idem.testkit.Settlements;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Entries are found by their labels, whatever becomes of them. */
@Timeout(60)
class LabelsTest {
    private static final Map<String, String> RUN = Map.of("run", "7", "shop", "a");

    private final TestServer server = TestServer.shared();
    private final String schema = TestServer.newSchema();
    private Ledger ledger;

    @BeforeEach
    void open() {
        ledger = server.open(server.url(schema), Requests.HERE);
    }

    @AfterEach
    void close() {
        ledger.close();
    }

    private Ticket take(String key, Map<String, String> labels) {
        return ((Claim.Granted) ledger.claim(Requests.request(key).withLabels(labels))).ticket();
    }

    private List<String> found(Map<String, String> labels) {
        return ledger.as(Browsable.class).orElseThrow().browse(Query.all().withLabels(labels)).entries().stream()
                .map(entry -> entry.address().key())
                .toList();
    }

    @Test
    void anEntryIsFoundByAllOfItsLabelsAndByEach() {
        take("first", RUN);
        take("second", Map.of("run", "7"));
        take("third", Map.of("run", "8"));
        Requests.take(ledger, "without");
        assertThat(found(Map.of("run", "7"))).containsExactly("second", "first");
        assertThat(found(RUN)).containsExactly("first");
        assertThat(found(Map.of("run", "7", "shop", "b"))).isEmpty();
    }

    @Test
    void pagesOfLabelledEntriesGoOnWhereTheLastOneEnded() {
        for (int i = 0; i < 5; i++) {
            take("k" + i, RUN);
            Requests.take(ledger, "other" + i);
        }
        Browsable browsable = ledger.as(Browsable.class).orElseThrow();
        Query query = Query.all().withLabels(RUN).withLimit(3);
        var first = browsable.browse(query);
        var second = browsable.browse(query.withAfter(first.next()));
        assertThat(first.entries()).extracting(entry -> entry.address().key()).containsExactly("k4", "k3", "k2");
        assertThat(second.entries()).extracting(entry -> entry.address().key()).containsExactly("k1", "k0");
        assertThat(second.next()).isNull();
    }

    @Test
    void anEntryThatIsGrantedAgainHasTheLabelsOfThatClaim() {
        ledger.settle(take("k", RUN), Settlements.failed());
        take("k", Map.of("run", "8"));
        assertThat(found(Map.of("run", "7"))).isEmpty();
        assertThat(found(Map.of("run", "8"))).containsExactly("k");
    }

    @Test
    void aProbeAndAResolutionLeaveAnEntryItsLabels() {
        ledger.settle(take("k", RUN), Settlements.doubtful());
        Claim probe = ledger.claim(Requests.request("k").withTakeOver(TakeOver.PROBE));
        assertThat(probe).as("it may still act").isInstanceOf(Claim.InDoubt.class);
        server.later(schema, Duration.ofHours(1));
        probe = ledger.claim(Requests.request("k").withTakeOver(TakeOver.PROBE));
        assertThat(probe).isInstanceOf(Claim.Granted.class);
        assertThat(found(RUN)).containsExactly("k");

        ledger.settle(((Claim.Granted) probe).ticket(), Settlements.doubtful());
        Entry doubted = ledger.find(Requests.address("k")).orElseThrow();
        assertThat(ledger.resolve(doubted.address(), doubted.fence(), Settlements.completed("1")))
                .isTrue();
        assertThat(found(RUN)).containsExactly("k");
    }

    @Test
    void whatIsForgottenOrPurgedIsNotFoundByItsLabels() {
        ledger.settle(take("forgotten", RUN), Settlements.failed());
        ledger.settle(take("purged", RUN), Settlements.completed("1", Retention.of(Duration.ofSeconds(1))));
        assertThat(ledger.forget(ledger.find(Requests.address("forgotten")).orElseThrow()))
                .isTrue();
        server.later(schema, Duration.ofHours(1));
        assertThat(ledger.as(Browsable.class).orElseThrow().purge(10)).isOne();
        assertThat(found(RUN)).isEmpty();
    }

    @Test
    void aSearchByLabelsUsesTheirIndex() {
        take("k", RUN);
        server.execute("SET enable_seqscan = off");
        try {
            assertThat(server.texts("EXPLAIN SELECT * FROM " + schema + ".entries WHERE labels @> '{\"run\":\"7\"}'"))
                    .anyMatch(line -> line.contains("entries_labels"));
        } finally {
            server.execute("RESET enable_seqscan");
        }
    }

    @Test
    void aLabelMayBeLong() {
        Map<String, String> labels = Map.of("note", "long ".repeat(51));
        take("k", labels);
        assertThat(found(labels)).containsExactly("k");
    }
}
