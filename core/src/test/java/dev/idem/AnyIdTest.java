package dev.idem;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.idem.spi.Host;
import dev.idem.spi.LedgerContext;
import dev.idem.spi.Ticket;
import dev.idem.spi.browse.Browsable;
import dev.idem.spi.browse.Query;
import dev.idem.spi.store.MemoryLedger;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Ids as people have them, and by-id calls that must not answer for something else. */
class AnyIdTest {
    private static final String LONG = "x".repeat(300);

    private final MemoryLedger ledger = new MemoryLedger(LedgerContext.ofHost(Host.system()));
    private final RequestStore store = RequestStore.builder().ledger(ledger).open();

    @AfterEach
    void close() {
        store.close();
        ledger.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"order 7", "Bestellung Nr. 7 für Jürgen", "注文-7", "tab\there", "half \uD83D", "id_0"})
    void anIdOfAnyFormIsTakenAndFoundAgain(String id) {
        store.markInProgress(id);
        store.markComplete(id, "done");
        assertThat(store.isProcessed(id)).isTrue();
        assertThat(store.result(id).orElseThrow().value()).isEqualTo("done");
        assertThatThrownBy(() -> store.markInProgress(id)).isInstanceOf(AlreadyProcessed.class);
    }

    @Test
    void anIdOfThreeHundredCharactersIsTaken() {
        store.markInProgress(LONG);
        store.markComplete(LONG, 1);
        assertThat(store.isProcessed(LONG)).isTrue();
        assertThat(store.isProcessed(LONG + "x")).isFalse();
    }

    @Test
    void anIdThatIsNoKeyIsKeptReadableAsALabel() {
        store.markInProgress("order 7 für Jürgen");
        assertThat(((Browsable) ledger)
                        .browse(Query.all().withLabels(Map.of("id", "order 7 für Jürgen")))
                        .entries())
                .hasSize(1);
    }

    /** An id that looks like the digest of another must not be answered with the other's result. */
    @Test
    void anIdThatLooksLikeADigestIsAnotherRequest() {
        String digest = Key.ofId("order 7").value();
        store.markInProgress("order 7");
        store.markComplete("order 7", "secret");
        assertThat(store.isProcessed(digest)).isFalse();
    }

    @Test
    void executeOnceTakesTheSameIds() {
        try (Idem idem = Idem.builder().ledger(ledger).quiet().open()) {
            assertThat(idem.executeOnce("order 7", String.class, call -> "first"))
                    .isEqualTo("first");
            assertThat(idem.executeOnce("order 7", String.class, call -> "second"))
                    .isEqualTo("first");
            assertThat(idem.executeOnce(LONG, call -> 1)).isEqualTo(1L);
        }
    }

    @Test
    void aKeyThatCannotBeUsedIsAnOutcomeOfAttempt() {
        try (Idem idem = Idem.builder().ledger(ledger).quiet().open()) {
            Outcome<Object> outcome = idem.operation("charge").key("a b").attempt(call -> "ran");
            assertThat(outcome).isInstanceOf(Outcome.Failed.class);
            assertThat(outcome.failure()).isInstanceOf(IllegalArgumentException.class);
            assertThat(Key.isKey("a b")).isFalse();
            assertThat(Key.isKey("a-b")).isTrue();
        }
    }

    /** isProcessed, then result: body B was answered with the result for body A. */
    @Test
    void theResultForOneBodyIsNotTheAnswerToAnother() {
        store.markInProgress("req-1", Map.of("cents", 4200));
        store.markComplete("req-1", "charged 4200");
        assertThat(store.result("req-1", (Object) Map.of("cents", 4200))
                        .orElseThrow()
                        .value())
                .isEqualTo("charged 4200");
        assertThatThrownBy(() -> store.result("req-1", (Object) Map.of("cents", 1)))
                .isInstanceOf(ConflictException.class);
    }

    @Test
    void aRequestThatWasTakenWithoutABodyIsNotCompared() {
        store.markInProgress("req-2");
        store.markComplete("req-2", "done");
        assertThat(store.result("req-2", (Object) Map.of("cents", 1))).isPresent();
    }

    @Test
    void anotherResultAfterTheCompletionIsRefused() {
        Ticket ticket = store.markInProgress("req-3");
        store.markComplete(ticket, "first");
        store.markComplete(ticket, "first");
        assertThatThrownBy(() -> store.markComplete(ticket, "second"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("not recorded");
        assertThat(store.result("req-3").orElseThrow().value()).isEqualTo("first");
    }

    @Test
    void aFailureOverAnEarlierDoubtSaysThatTheDoubtStands() {
        try (RequestStore retrying =
                RequestStore.builder().ledger(ledger).retryAfterCrash().open()) {
            store.markInProgress("req-4");
            store.markInDoubt("req-4", "time-out");
            Ticket second = retrying.markInProgress("req-4");
            assertThatThrownBy(() -> retrying.markNotExecuted(second, "refused"))
                    .isInstanceOf(InDoubtException.class);
            assertThat(store.state("req-4")).contains(State.IN_DOUBT);
        }
    }

    @Test
    void aDoubtOfAStoreNamesTheMethodsOfTheStore() {
        store.markInProgress("req-5");
        store.markInDoubt("req-5", "time-out");
        assertThatThrownBy(() -> store.markInProgress("req-5"))
                .isInstanceOf(InDoubtException.class)
                .hasMessageContaining("resolve(requestId).asComplete(result)")
                .hasMessageContaining("retryAfterCrash()")
                .hasMessageNotContaining("probe(");
        assertThat(store.resolve("req-5").by("ann").asComplete("found")).isTrue();
        assertThat(store.result("req-5").orElseThrow().value()).isEqualTo("found");
    }
}
