package dev.idem;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.idem.spi.ForwardingLedger;
import dev.idem.spi.Host;
import dev.idem.spi.LedgerContext;
import dev.idem.spi.Settled;
import dev.idem.spi.Settlement;
import dev.idem.spi.Ticket;
import dev.idem.spi.store.MemoryLedger;
import java.net.ConnectException;
import java.net.http.HttpTimeoutException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A failure that is marked by hand: it lets a request run again only if it proves that nothing happened. */
class FailedRequestTest {
    private final List<String> effects = new ArrayList<>();
    private final MemoryLedger ledger = new MemoryLedger(LedgerContext.ofHost(Host.system()));
    private RequestStore store = RequestStore.builder().ledger(ledger).open();

    @AfterEach
    void close() {
        store.close();
        ledger.close();
    }

    /** The handler of the founding article, word for word in Java. */
    private Object handleRequest(String requestId, Callable<?> agent, boolean withException) throws Exception {
        if (store.isProcessed(requestId)) {
            throw new AlreadyProcessed(requestId);
        }
        store.markInProgress(requestId);
        try {
            Object result = agent.call();
            store.markComplete(requestId, result);
            return result;
        } catch (Exception e) {
            if (withException) {
                store.markFailed(requestId, e);
            } else {
                store.markFailed(requestId, e.getMessage());
            }
            throw e;
        }
    }

    /** The charge was made and its response was lost; the request ran three times. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void theFoundingHandlerWithATimeOutAfterItsEffectRunsOnce(boolean withException) {
        Callable<?> agent = () -> {
            effects.add("charged 4200");
            throw new HttpTimeoutException("request timed out");
        };

        assertThatThrownBy(() -> handleRequest("req-1", agent, withException)).isInstanceOf(HttpTimeoutException.class);
        for (int retry = 0; retry < 2; retry++) {
            assertThatThrownBy(() -> handleRequest("req-1", agent, withException))
                    .isInstanceOf(InDoubtException.class);
        }

        assertThat(effects).hasSize(1);
        assertThat(store.state("req-1")).contains(State.IN_DOUBT);
    }

    @Test
    void anExceptionThatProvesThatNothingHappenedLetsTheRequestRunAgain() throws Exception {
        assertThatThrownBy(() -> handleRequest(
                        "req-1",
                        () -> {
                            throw new NotExecutedException("no such customer");
                        },
                        true))
                .isInstanceOf(NotExecutedException.class);

        assertThat(store.state("req-1")).contains(State.FAILED);
        assertThat(handleRequest("req-1", () -> "done", true)).isEqualTo("done");
    }

    @Test
    void theClassifierOfTheStoreDecides() {
        store = RequestStore.builder()
                .ledger(ledger)
                .classify(Classifier.definite(ConnectException.class))
                .open();
        store.markInProgress("req-1");
        store.markFailed("req-1", new ConnectException("refused"));
        store.markInProgress("req-2");
        store.markFailed("req-2", new HttpTimeoutException("timed out"));

        assertThat(store.state("req-1")).contains(State.FAILED);
        assertThat(store.state("req-2")).contains(State.IN_DOUBT);
    }

    /** The first tool of the agent has acted; the exception is that of the second. */
    @Test
    void anExceptionOfACallInsideTheRequestProvesNothingAboutTheRequest() {
        try (Idem idem = Idem.builder().ledger(ledger).quiet().open()) {
            Callable<?> agent = () -> {
                effects.add("mailed");
                return idem.operation("charge").key("order-7").run(call -> {
                    throw new NotExecutedException("card refused");
                });
            };

            assertThatThrownBy(() -> handleRequest("req-1", agent, true)).isInstanceOf(NotExecutedException.class);
        }

        assertThat(store.state("req-1")).contains(State.IN_DOUBT);
    }

    @Test
    void aRequestThatIsKnownNotToHaveRunMayRunAgain() {
        store.markInProgress("req-1");
        store.markNotExecuted("req-1", "the queue was full");

        assertThat(store.state("req-1")).contains(State.FAILED);
        assertThatCode(() -> store.markInProgress("req-1")).doesNotThrowAnyException();
    }

    /** The work was done; only its record failed. */
    @Test
    void aFailureThatFollowsACompletionWithoutAnAnswerRecordsTheCompletion() throws Exception {
        Broken broken = new Broken(ledger);
        store = RequestStore.builder().ledger(broken).open();

        assertThatThrownBy(() -> handleRequest(
                        "req-1",
                        () -> {
                            broken.fails = true;
                            return Map.of("order", 7);
                        },
                        true))
                .isInstanceOf(AlreadyProcessed.class);

        assertThat(store.result("req-1").orElseThrow().value()).isEqualTo(Map.of("order", 7L));
    }

    /** A ledger whose next settlement fails. */
    private static final class Broken extends ForwardingLedger {
        boolean fails;

        Broken(MemoryLedger ledger) {
            super(ledger);
        }

        @Override
        public Settled settle(Ticket ticket, Settlement how) {
            if (fails) {
                fails = false;
                throw new LedgerUnreadableException("damaged", null);
            }
            return super.settle(ticket, how);
        }

        @Override
        public String describe() {
            return "broken";
        }
    }
}
