package dev.idem.remote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.idem.Address;
import dev.idem.Entry;
import dev.idem.Idem;
import dev.idem.LedgerUnavailableException;
import dev.idem.Policy;
import dev.idem.State;
import dev.idem.lab.Proxy;
import dev.idem.server.Access;
import dev.idem.spi.AttemptId;
import dev.idem.spi.Claim;
import dev.idem.spi.ClaimRequest;
import dev.idem.spi.Fingerprints;
import dev.idem.spi.Ledger;
import dev.idem.spi.Ledgers;
import dev.idem.spi.Mark;
import dev.idem.spi.Owner;
import dev.idem.spi.Settled;
import dev.idem.spi.Ticket;
import dev.idem.testkit.Settlements;
import dev.idem.testkit.Until;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Steps that the server has made, and whose answers were lost on their way. */
class LostAnswersTest {
    private static final Address AT = new Address("shop", "charge", "k");
    private static final Duration LEASE = Duration.ofSeconds(30);

    @TempDir
    Path folder;

    private Ledger behind;
    private TestServer server;
    private Proxy proxy;
    private Ledger ledger;
    private int attempts;

    @BeforeEach
    void open() throws IOException {
        behind = Ledgers.open("memory:");
        server = TestServer.overTcp(behind, folder);
        proxy = new Proxy(server.port());
        ledger = open("&timeout=60s");
    }

    private Ledger open(String options) {
        return TestServer.open("http://127.0.0.1:" + proxy.port(), server.token("t" + attempts++, Access.ALL), options);
    }

    @AfterEach
    void close() throws IOException {
        ledger.close();
        proxy.close();
        server.close();
    }

    private ClaimRequest request() {
        return ClaimRequest.of(new AttemptId(7, ++attempts), AT, Fingerprints.NONE, Owner.named("ann"));
    }

    private Entry entry() {
        return behind.find(AT).orElseThrow();
    }

    /** Loses the answer to a step, and cuts the connection when the server has made it. */
    private <T> T losing(Supplier<T> step, BooleanSupplier made) throws Exception {
        proxy.swallow(true);
        return cutting(step, made);
    }

    private <T> T cutting(Supplier<T> step, BooleanSupplier made) throws Exception {
        FutureTask<T> task = new FutureTask<>(step::get);
        Thread thread = new Thread(task);
        thread.start();
        Until.isTrue("the server has made the step", made);
        proxy.swallow(false);
        thread.join();
        try {
            return task.get();
        } catch (ExecutionException e) {
            throw (Exception) e.getCause();
        }
    }

    @Test
    void aClaimGetsItsOwnGrant() throws Exception {
        ClaimRequest request = request();
        Claim claim = losing(() -> ledger.claim(request), () -> behind.find(AT).isPresent());
        assertThat(claim).isInstanceOf(Claim.Granted.class);
        assertThat(claim.entry().fence()).isEqualTo(entry().fence());
        assertThat(claim.entry().attempt()).isEqualTo(1);
    }

    @Test
    void aSettleIsToldAgain() throws Exception {
        Ticket ticket = ledger.claim(request()).entry().ticket();
        Settled settled = losing(
                () -> ledger.settle(ticket, Settlements.completed("1")), () -> entry().state() == State.COMPLETE);
        assertThat(settled).isInstanceOf(Settled.Already.class);
    }

    @Test
    void aRenewalIsMadeAgain() throws Exception {
        Entry claimed = ledger.claim(request()).entry();
        boolean renewed = losing(
                () -> ledger.renew(claimed.ticket(), LEASE.multipliedBy(2)),
                () -> !entry().tenure().lease().equals(claimed.tenure().lease()));
        assertThat(renewed).isTrue();
    }

    @Test
    void aMarkIsMadeAgain() throws Exception {
        Ticket ticket = ledger.claim(request().withStaged(true)).entry().ticket();
        boolean marked = losing(
                () -> ledger.mark(ticket, Mark.of("charging")),
                () -> !entry().tenure().marks().isEmpty());
        assertThat(marked).isTrue();
        assertThat(entry().tenure().lastMark()).isEqualTo(Mark.of("charging"));
    }

    /** A copy would be refused, as if somebody else had decided. */
    @Test
    void aDecisionIsNotSentTwice() throws Exception {
        Ticket ticket = ledger.claim(request()).entry().ticket();
        ledger.settle(ticket, Settlements.doubtful());
        assertThatThrownBy(() -> losing(
                        () -> ledger.resolve(AT, ticket.fence(), Settlements.notExecuted()),
                        () -> entry().state() == State.FAILED))
                .isInstanceOf(LedgerUnavailableException.class);
        Entry resolved = entry();
        assertThat(ledger.find(AT)).contains(resolved);
        assertThat(ledger.resolve(AT, ticket.fence(), Settlements.notExecuted()))
                .isFalse();

        assertThatThrownBy(() -> losing(
                        () -> ledger.forget(resolved), () -> behind.find(AT).isEmpty()))
                .isInstanceOf(LedgerUnavailableException.class);
        assertThat(ledger.find(AT)).isEmpty();
        assertThat(ledger.forget(resolved)).isFalse();
    }

    /** The engine sends a claim and a settle again after a time-out, so the ledger does not. */
    @Test
    void anAnswerThatDoesNotComeIsToldInTime() {
        try (Ledger impatient = open("&timeout=300ms")) {
            proxy.swallow(true);
            ClaimRequest request = request();
            assertThatThrownBy(() -> impatient.claim(request))
                    .isInstanceOf(LedgerUnavailableException.class)
                    .hasMessageContaining("no answer within 300 ms");
            Until.isTrue("the claim has arrived", () -> behind.find(AT).isPresent());
            proxy.swallow(false);
            assertThat(impatient.claim(request).entry().fence()).isEqualTo(entry().fence());
        }
    }

    @Test
    void aCallRunsOnceAlthoughItsAnswersAreLost() throws Exception {
        AtomicInteger effects = new AtomicInteger();
        try (Idem idem = Idem.builder()
                .ledger(ledger)
                .quiet()
                .purgeEvery(Duration.ZERO)
                .settleFor(Duration.ofSeconds(60))
                .open()) {
            Supplier<String> call = () -> idem.operation("charge")
                    .scope("shop")
                    .key("k")
                    .policy(Policy.unset().lease(LEASE))
                    .returning(String.class)
                    .run(running -> {
                        proxy.swallow(true);
                        return "ch_" + effects.incrementAndGet();
                    });
            String value = cutting(
                    call,
                    () -> behind.find(AT)
                            .filter(entry -> entry.state() == State.COMPLETE)
                            .isPresent());
            assertThat(value).isEqualTo("ch_1");
            assertThat(call.get()).isEqualTo("ch_1");
        }
        assertThat(effects).hasValue(1);
    }
}
