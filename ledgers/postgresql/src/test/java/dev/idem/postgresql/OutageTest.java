package dev.idem.postgresql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.idem.Idem;
import dev.idem.LedgerUnavailableException;
import dev.idem.Policy;
import dev.idem.State;
import dev.idem.UnrecordedException;
import dev.idem.spi.Claim;
import dev.idem.spi.ClaimRequest;
import dev.idem.spi.Ledger;
import dev.idem.spi.Settled;
import dev.idem.spi.Ticket;
import dev.idem.testkit.Settlements;
import dev.idem.testkit.Until;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Servers that can't be reached, and lost answers. */
@Timeout(60)
class OutageTest {
    private final TestServer server = TestServer.shared();
    private final String schema = TestServer.newSchema();
    private Proxy proxy;
    private Ledger ledger;
    private Ledger beside;

    @BeforeEach
    void open() throws Exception {
        beside = server.open(server.url(schema), Requests.HERE);
        proxy = new Proxy(server.port());
        String url = "postgresql://postgres@127.0.0.1:" + proxy.port() + "/postgres?timeout=3s&pool=2&schema=" + schema;
        ledger = server.open(url, Requests.HERE);
    }

    @AfterEach
    void close() throws Exception {
        proxy.mend();
        ledger.close();
        beside.close();
        proxy.close();
    }

    private Idem idem(Duration settleFor) {
        return Idem.builder()
                .ledger(ledger)
                .quiet()
                .purgeEvery(Duration.ZERO)
                .closeWait(Duration.ZERO)
                .settleFor(settleFor)
                .open();
    }

    @Test
    void withoutAServerTheActionDoesNotRunAndTheErrorSaysSo() {
        AtomicInteger runs = new AtomicInteger();
        try (Idem idem = idem(Duration.ofSeconds(1))) {
            proxy.cut();
            assertThatThrownBy(() -> idem.operation("charge")
                            .key("k")
                            // A claim is sent again for as long as its lease would be.
                            .policy(Policy.unset().lease(Duration.ofMillis(500)))
                            .returning(String.class)
                            .run(call -> {
                                runs.incrementAndGet();
                                return "ok";
                            }))
                    .isInstanceOf(LedgerUnavailableException.class)
                    .hasMessageContaining("127.0.0.1:" + proxy.port())
                    .hasMessageContaining("gave no answer");
            assertThat(runs).hasValue(0);
            proxy.mend();
        }
    }

    @Test
    void aServerThatComesBackInTimeIsToldTheResult() {
        try (Idem idem = idem(Duration.ofSeconds(30))) {
            String out = idem.operation("charge")
                    .scope("shop")
                    .key("k")
                    .returning(String.class)
                    .run(call -> {
                        proxy.cut();
                        Thread mending = new Thread(() -> {
                            Until.isTrue("the settle was turned away", () -> proxy.refused() > 0);
                            proxy.mend();
                        });
                        mending.start();
                        return "ok";
                    });
            assertThat(out).isEqualTo("ok");
            assertThat(beside.find(Requests.address("k")).orElseThrow().state()).isEqualTo(State.COMPLETE);
        }
    }

    @Test
    void aServerThatStaysAwayLeavesTheEntryInDoubt() {
        try (Idem idem = idem(Duration.ofMillis(100))) {
            assertThatThrownBy(() -> idem.operation("charge")
                            .scope("shop")
                            .key("k")
                            .policy(Policy.unset().lease(Duration.ofSeconds(1)))
                            .returning(String.class)
                            .run(call -> {
                                proxy.cut();
                                return "ok";
                            }))
                    .isInstanceOfSatisfying(
                            UnrecordedException.class,
                            e -> assertThat(e.value()).isEqualTo("ok"));
            Until.isTrue(
                    "it is in doubt",
                    () -> beside.find(Requests.address("k")).orElseThrow().state() == State.IN_DOUBT);
            proxy.mend();
        }
    }

    @Test
    void aClaimWhoseAnswerWasLostGetsTheSameTicketAgain() {
        ClaimRequest request = Requests.request("k");
        assertThat(ledger.find(Requests.address("k"))).isEmpty();
        proxy.swallowAnswers();
        assertThatThrownBy(() -> ledger.claim(request)).isInstanceOf(LedgerUnavailableException.class);
        proxy.mend();
        Until.isTrue(
                "the claim was taken", () -> beside.find(Requests.address("k")).isPresent());
        Claim again = ledger.claim(request);
        assertThat(again).isInstanceOf(Claim.Granted.class);
        assertThat(again.entry().fence())
                .isEqualTo(beside.find(Requests.address("k")).orElseThrow().fence());
        assertThat(again.entry().attempt()).isEqualTo(1);
    }

    @Test
    void aSettleWhoseAnswerWasLostIsAlreadyThere() {
        Ticket ticket = Requests.take(ledger, "k");
        proxy.swallowAnswers();
        assertThatThrownBy(() -> ledger.settle(ticket, Settlements.completed("1")))
                .isInstanceOf(LedgerUnavailableException.class);
        proxy.mend();
        Until.isTrue(
                "the settle was taken",
                () -> beside.find(Requests.address("k")).orElseThrow().state() == State.COMPLETE);
        assertThat(ledger.settle(ticket, Settlements.completed("1"))).isInstanceOf(Settled.Already.class);
    }
}
