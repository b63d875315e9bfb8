package dev.idem;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.idem.seal.SealKeys;
import dev.idem.spi.LedgerContext;
import dev.idem.spi.Moment;
import dev.idem.spi.Owner;
import dev.idem.spi.Payload;
import dev.idem.spi.ProcessRef;
import dev.idem.spi.Processes.Life;
import dev.idem.spi.Result;
import dev.idem.spi.Ticket;
import dev.idem.spi.store.MemoryLedger;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A handler that marks its requests by hand: one of many gets a request, and only the one who has it ends it. */
class RequestStoreTest {
    // Far longer than a test takes, so that only the clock that is moved here can end a lease.
    private static final Duration LEASE = Duration.ofHours(1);
    private static final Moment START = new Moment(Instant.parse("2026-03-01T12:00:00Z"), "boot", 0);

    private final AtomicReference<Moment> now = new AtomicReference<>(START);
    private final Set<Long> dead = ConcurrentHashMap.newKeySet();
    private final MemoryLedger ledger = new MemoryLedger(
            new LedgerContext(now::get, process -> dead.contains(process.pid()) ? Life.DEAD : Life.ALIVE));
    private final List<RequestStore> opened = new ArrayList<>();

    record Order(String id, int cents) {}

    @AfterEach
    void close() {
        opened.forEach(RequestStore::close);
    }

    @Test
    void aRequestIsProcessedOnce() {
        RequestStore store = store();

        assertThat(store.isProcessed("req-1")).isFalse();
        assertThat(store.state("req-1")).isEmpty();
        store.markInProgress("req-1");
        assertThat(store.state("req-1")).contains(State.IN_PROGRESS);
        assertThat(store.isProcessed("req-1")).isFalse();
        store.markComplete("req-1", Map.of("order", 42));

        assertThat(store.isProcessed("req-1")).isTrue();
        assertThatThrownBy(() -> store.markInProgress("req-1"))
                .isInstanceOfSatisfying(
                        AlreadyProcessed.class,
                        already -> assertThat(already.requestId()).isEqualTo("req-1"));
    }

    @Test
    void theResultIsThereForWhoeverAsks() {
        store().markInProgress("req-1");
        opened.get(0).markComplete("req-1", new Order("o-1", 4200));
        RequestStore another = store();

        assertThat(another.result("req-1", Order.class))
                .contains(new Processed<>(new Order("o-1", 4200), START.wall()));
        assertThat(another.result("req-1").orElseThrow().value()).isEqualTo(Map.of("id", "o-1", "cents", 4200L));
    }

    @Test
    void aResultOfNullIsNotTheSameAsNoResult() {
        RequestStore store = store();
        store.markInProgress("null");
        store.markComplete("null", null);
        store.markInProgress("running");

        assertThat(store.isProcessed("null")).isTrue();
        assertThat(store.result("null").orElseThrow().value()).isNull();
        assertThat(store.result("running")).isEmpty();
        assertThat(store.result("unseen")).isEmpty();
    }

    @Test
    void falseAndEmptyAreResults() {
        RequestStore store = store();
        store.markInProgress("false");
        store.markComplete("false", false);
        store.markInProgress("empty");
        store.markComplete("empty", "");

        assertThat(store.result("false").orElseThrow().value()).isEqualTo(false);
        assertThat(store.result("empty", String.class).orElseThrow().value()).isEmpty();
    }

    @Test
    void aResultThatCannotBeStoredIsStillProcessed() {
        RequestStore store = store();
        store.markInProgress("req-1");
        store.markComplete("req-1", new Object());

        assertThat(store.isProcessed("req-1")).isTrue();
        assertThatThrownBy(() -> store.result("req-1"))
                .isInstanceOf(ResultUnavailableException.class)
                .hasMessageContaining("could not be serialised");
    }

    @Test
    void oneOfManyAtOnceGetsTheTicket() throws Exception {
        int callers = 16;
        RequestStore one = store();
        RequestStore other = store();
        CyclicBarrier gate = new CyclicBarrier(callers);
        ExecutorService threads = Executors.newFixedThreadPool(callers);
        List<Future<Object>> answers = new ArrayList<>();
        for (int i = 0; i < callers; i++) {
            RequestStore store = i % 2 == 0 ? one : other;
            answers.add(threads.submit((Callable<Object>) () -> {
                gate.await();
                try {
                    return store.markInProgress("req-1");
                } catch (InFlightException e) {
                    return e;
                }
            }));
        }
        threads.shutdown();

        List<Object> got = new ArrayList<>();
        for (Future<Object> answer : answers) {
            got.add(answer.get());
        }
        assertThat(got).filteredOn(Ticket.class::isInstance).hasSize(1);
        assertThat(got).filteredOn(InFlightException.class::isInstance).hasSize(callers - 1);
    }

    @Test
    void onlyTheStoreThatHasTheRequestEndsIt() {
        RequestStore owner = store();
        RequestStore other = store();
        owner.markInProgress("req-1");

        assertThatIllegalStateException()
                .isThrownBy(() -> other.markComplete("req-1", "mine"))
                .withMessageContaining("was not taken by this store");
        assertThatIllegalStateException().isThrownBy(() -> other.markFailed("req-1", "mine"));
        assertThatIllegalStateException().isThrownBy(() -> other.markInDoubt("req-1", "mine"));
        assertThat(owner.state("req-1")).contains(State.IN_PROGRESS);
        owner.markComplete("req-1", "done");
        assertThat(other.result("req-1").orElseThrow().value()).isEqualTo("done");
    }

    @Test
    void aRequestIsEndedOnce() {
        RequestStore store = store();
        Ticket ticket = store.markInProgress("req-1");
        store.markComplete("req-1", "first");

        assertThatIllegalStateException().isThrownBy(() -> store.markComplete("req-1", "second"));
        assertThatIllegalStateException().isThrownBy(() -> store.markFailed("req-1", "after all"));
        store.markComplete(ticket, "first");
        assertThatIllegalStateException().isThrownBy(() -> store.markComplete(ticket, "second"));
        assertThat(store.result("req-1").orElseThrow().value()).isEqualTo("first");
    }

    @Test
    void aRequestWhoseProcessDiedIsInDoubt() {
        store(options -> options.owner(process(7))).markInProgress("req-1");
        dead.add(7L);
        RequestStore next = store();

        assertThat(next.state("req-1")).contains(State.IN_DOUBT);
        assertThat(next.isProcessed("req-1")).isFalse();
        assertThatThrownBy(() -> next.markInProgress("req-1"))
                .isInstanceOf(InDoubtException.class)
                .hasMessageContaining("ended without settling it");
    }

    @Test
    void aRequestThatNobodyRenewsIsInDoubtAfterItsLease() {
        store().markInProgress("req-1");
        RequestStore next = store();

        assertThatThrownBy(() -> next.markInProgress("req-1")).isInstanceOf(InFlightException.class);
        pass(LEASE);
        assertThatThrownBy(() -> next.markInProgress("req-1")).isInstanceOf(InDoubtException.class);
    }

    @Test
    void aRequestWhoseProcessDiedMayBeTakenAgainWhereThatWasAskedFor() {
        store(options -> options.owner(process(7))).markInProgress("req-1");
        RequestStore next = store(RequestStoreBuilder::retryAfterCrash);

        assertThatThrownBy(() -> next.markInProgress("req-1")).isInstanceOf(InFlightException.class);
        dead.add(7L);
        next.markInProgress("req-1");
        next.markComplete("req-1", "by the second");
        assertThat(next.result("req-1").orElseThrow().value()).isEqualTo("by the second");
    }

    @Test
    void aLateLoserOverwritesNothing() {
        RequestStore slow = store();
        RequestStore next = store(RequestStoreBuilder::retryAfterCrash);
        slow.markInProgress("req-1");
        pass(LEASE);
        next.markInProgress("req-1");
        next.markComplete("req-1", "by the second");

        assertThatThrownBy(() -> slow.markComplete("req-1", "by the first"))
                .isInstanceOfSatisfying(
                        StaleTicketException.class,
                        stale -> assertThat(stale.value()).isEqualTo("by the first"));
        assertThat(next.result("req-1").orElseThrow().value()).isEqualTo("by the second");
    }

    @Test
    void aLateLoserThatFailedDoesNotEndItsSuccessor() {
        RequestStore slow = store();
        RequestStore next = store(RequestStoreBuilder::retryAfterCrash);
        slow.markInProgress("req-1");
        pass(LEASE);
        next.markInProgress("req-1");

        assertThatThrownBy(() -> slow.markFailed("req-1", "timeout")).isInstanceOf(StaleTicketException.class);
        assertThat(next.state("req-1")).contains(State.IN_PROGRESS);
    }

    @Test
    void aLateOwnerIsHeardWhileNobodyHasTakenOver() {
        RequestStore slow = store();
        slow.markInProgress("req-1");
        pass(LEASE);
        assertThat(slow.state("req-1")).contains(State.IN_DOUBT);

        slow.markComplete("req-1", "late, but done");

        assertThat(slow.result("req-1").orElseThrow().value()).isEqualTo("late, but done");
    }

    @Test
    void aFailedRequestRunsAgainUnderTheSameId() {
        RequestStore store = store();
        store.markInProgress("req-1");
        store.markNotExecuted("req-1", "no such customer");

        assertThat(store.state("req-1")).contains(State.FAILED);
        assertThat(store.isProcessed("req-1")).isFalse();
        store.markInProgress("req-1");
        store.markComplete("req-1", "at the second try");
        assertThat(store.isProcessed("req-1")).isTrue();
    }

    /** Many exceptions have no message. */
    @Test
    void anErrorWithoutAMessageIsRecordedAsOne() {
        RequestStore store = store();
        store.markInProgress("req-1");
        store.markInProgress("req-2");

        store.markNotExecuted("req-1", new IllegalStateException().getMessage());
        store.markFailed("req-2", new IllegalStateException().getMessage());

        assertThat(store.state("req-1")).contains(State.FAILED);
        assertThat(store.state("req-2")).contains(State.IN_DOUBT);
    }

    @Test
    void aFailedRequestIsRefusedUntilItWasClearedWhereThatWasAskedFor() {
        RequestStore store = store(RequestStoreBuilder::failedUntilCleared);
        store.markInProgress("req-1");
        store.markNotExecuted("req-1", "no such customer");

        assertThatThrownBy(() -> store.markInProgress("req-1"))
                .isInstanceOf(OperationFailedException.class)
                .hasMessageContaining("no such customer");
        assertThat(store.clear("req-1")).isTrue();
        store.markInProgress("req-1");
        assertThat(store.state("req-1")).contains(State.IN_PROGRESS);
    }

    @Test
    void aRequestThatMayHaveHadAnEffectIsNotTakenAgain() {
        RequestStore store = store();
        store.markInProgress("req-1");
        store.markInDoubt("req-1", "the response was lost");

        assertThatThrownBy(() -> store.markInProgress("req-1")).isInstanceOf(InDoubtException.class);
        assertThat(store.clear("req-1")).isTrue();
        store.markInProgress("req-1");
    }

    @Test
    void clearIsRefusedWhileARequestIsInProgress() {
        RequestStore store = store();
        Ticket ticket = store.markInProgress("req-1");

        assertThatThrownBy(() -> store.clear("req-1")).isInstanceOf(InFlightException.class);
        store.markComplete("req-1", "done");
        assertThat(store.clear("req-1")).isTrue();
        assertThat(store.clear("req-1")).isFalse();
        assertThat(store.state("req-1")).isEmpty();
        assertThat(store.markInProgress("req-1").fence()).isGreaterThan(ticket.fence());
    }

    @Test
    void anIdIsFreeAgainAfterItsDays() {
        RequestStore store = store(options -> options.ttlDays(7));
        store.markInProgress("req-1");
        store.markComplete("req-1", "done");

        pass(Duration.ofDays(7).minusSeconds(1));
        assertThat(store.isProcessed("req-1")).isTrue();
        pass(Duration.ofSeconds(1));
        assertThat(store.isProcessed("req-1")).isFalse();
        assertThat(store.result("req-1")).isEmpty();
        store.markInProgress("req-1");
    }

    /** The seven days of the document were the shortest step: a store for a day's webhooks kept them for a week. */
    @Test
    void anIdIsFreeAgainAfterATimeShorterThanADay() {
        RequestStore store = store(options -> options.ttl(Duration.ofMinutes(90)));
        store.markInProgress("req-1");
        store.markComplete("req-1", "done");

        pass(Duration.ofMinutes(89));
        assertThat(store.isProcessed("req-1")).isTrue();
        pass(Duration.ofMinutes(1));
        assertThat(store.isProcessed("req-1")).isFalse();
    }

    @Test
    void resultsAreCompressedFromTheSizeThatWasAskedFor() {
        String report = "all is well. ".repeat(200);
        RequestStore plain = store();
        RequestStore small = store(options -> options.gzipFrom(1000));
        plain.markInProgress("plain");
        plain.markComplete("plain", report);
        small.markInProgress("small");
        small.markComplete("small", report);

        assertThat(stored("plain").bytes()).hasSizeGreaterThan(1000);
        assertThat(stored("small").bytes()).hasSizeLessThan(200);
        assertThat(plain.result("small").orElseThrow().value()).isEqualTo(report);
    }

    @Test
    void resultsAreSealedWithTheKeysThatWereGiven() {
        RequestStore sealed = store(options -> options.sealedWith(SealKeys.of("2026", new byte[32])));
        sealed.markInProgress("req-1");
        sealed.markComplete("req-1", "secret");

        assertThat(new String(stored("req-1").bytes(), StandardCharsets.ISO_8859_1))
                .doesNotContain("secret");
        assertThat(sealed.result("req-1").orElseThrow().value()).isEqualTo("secret");
        assertThatThrownBy(() -> store().result("req-1")).isInstanceOf(LedgerUnreadableException.class);
    }

    private Payload stored(String key) {
        Entry entry = ledger.find(new Address("default", "request", key)).orElseThrow();
        return ((Result.Stored) Objects.requireNonNull(entry.result())).payload();
    }

    @Test
    void aRequestInDoubtDoesNotExpire() {
        RequestStore store = store(options -> options.ttlDays(1));
        store.markInProgress("req-1");
        store.markInDoubt("req-1", "the response was lost");

        pass(Duration.ofDays(400));
        assertThatThrownBy(() -> store.markInProgress("req-1")).isInstanceOf(InDoubtException.class);
    }

    @Test
    void anIdIsNotUsedForAnotherPayload() {
        RequestStore store = store();
        store.markInProgress("req-1", new Order("o-1", 4200));

        assertThatThrownBy(() -> store.markInProgress("req-1", new Order("o-1", 4300)))
                .isInstanceOf(ConflictException.class);
        store.markComplete("req-1", "done");
        assertThatThrownBy(() -> store.markInProgress("req-1", new Order("o-1", 4300)))
                .isInstanceOf(ConflictException.class);
        assertThatThrownBy(() -> store.markInProgress("req-1", new Order("o-1", 4200)))
                .isInstanceOf(AlreadyProcessed.class);
    }

    @Test
    void theSameIdInAnotherScopeIsAnotherRequest() {
        RequestStore here = store(options -> options.scope("tenant-1"));
        RequestStore there = store(options -> options.scope("tenant-2"));
        here.markInProgress("req-1");
        here.markComplete("req-1", "ours");

        assertThat(there.isProcessed("req-1")).isFalse();
        assertThat(there.result("req-1")).isEmpty();
        there.markInProgress("req-1");
    }

    private RequestStore store() {
        return store(options -> options);
    }

    private RequestStore store(UnaryOperator<RequestStoreBuilder> options) {
        RequestStore store = options.apply(RequestStore.builder().ledger(ledger).lease(LEASE))
                .open();
        opened.add(store);
        return store;
    }

    private static Owner process(long pid) {
        return new Owner("pid " + pid, new ProcessRef("host", pid, 1));
    }

    private void pass(Duration duration) {
        now.updateAndGet(moment -> moment.plus(duration));
    }
}
