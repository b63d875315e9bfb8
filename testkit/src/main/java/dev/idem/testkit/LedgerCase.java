package dev.idem.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.idem.Address;
import dev.idem.Entry;
import dev.idem.spi.AttemptId;
import dev.idem.spi.Claim;
import dev.idem.spi.ClaimRequest;
import dev.idem.spi.Fingerprints;
import dev.idem.spi.Ledger;
import dev.idem.spi.LedgerContext;
import dev.idem.spi.Owner;
import dev.idem.spi.TakeOver;
import dev.idem.spi.Ticket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.assertj.core.api.RecursiveComparisonAssert;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** The base of all contracts: an open ledger, settable clocks, and factories of requests. */
public abstract class LedgerCase {
    /** The lease of a request by default. */
    protected static final Duration LEASE = Duration.ofSeconds(30);

    /** The time limit of a request by default. */
    protected static final Duration LIMIT = Duration.ofMinutes(5);

    /** The address of most cases. */
    protected static final Address KEY = new Address("shop", "charge", "order-1");

    /** The fingerprints of most claims. */
    protected static final Fingerprints IDENTITY = new Fingerprints("1d".repeat(32), "c0".repeat(32));

    /** The fingerprints of another operation. */
    protected static final Fingerprints OTHER_IDENTITY = new Fingerprints("2e".repeat(32), "c0".repeat(32));

    private static final Duration INSTANT_MORE = Duration.ofMillis(1);

    private final AtomicLong attempts = new AtomicLong();
    private final List<Ledger> others = new ArrayList<>();
    private LedgerFixture fixture;
    private SettableClocks clocks;
    private SettableProcesses processes;
    private Ledger ledger;

    /** The store under test. Each call returns an empty store that shares nothing with the others. */
    protected abstract LedgerFixture fixture();

    @BeforeEach
    void openLedger() {
        fixture = fixture();
        clocks = fixture.clocks();
        processes = new SettableProcesses();
        ledger = fixture.open(new LedgerContext(clocks, processes));
    }

    @AfterEach
    void closeLedger() {
        ledger.close();
        others.forEach(Ledger::close);
    }

    /** The ledger under test. */
    protected final Ledger ledger() {
        return ledger;
    }

    /** Its clocks; skips the case if time comes from a server. */
    protected final SettableClocks clocks() {
        assumeTrue(fixture.settableClocks(), "the clock of this ledger can't be set");
        return clocks;
    }

    /** Its clocks; skips the case if a step of the wall clock moves its leases. */
    protected final SettableClocks monotonicClocks() {
        assumeTrue(fixture.monotonicClocks(), "this ledger has only a wall clock");
        return clocks();
    }

    /** Its processes; skips the case if it asks none. */
    protected final SettableProcesses processes() {
        assumeTrue(fixture.asksProcesses(), "this ledger asks no processes");
        return processes;
    }

    /** Whether entries outlive the ledger. */
    protected final boolean durable() {
        return fixture.durable();
    }

    /** A capability of the ledger; skips the case if the ledger lacks it. */
    protected final <C> C capability(Class<C> capability) {
        Optional<C> found = ledger.as(capability);
        assumeTrue(found.isPresent(), "this ledger is not " + capability.getSimpleName());
        return found.orElseThrow();
    }

    /** Closes the ledger and opens it again; skips the case if the ledger is not durable. */
    protected final void reopen() {
        assumeTrue(fixture.durable(), "the entries of this ledger end with it");
        ledger.close();
        ledger = fixture.open(new LedgerContext(clocks, processes));
    }

    /** A second ledger on the same store; skips the case if a store has only one. */
    protected final Ledger another() {
        assumeTrue(fixture.durable(), "the entries of this ledger belong to it alone");
        Ledger other = fixture.open(new LedgerContext(clocks, processes));
        others.add(other);
        return other;
    }

    /** Lets time pass on both clocks. */
    protected final void pass(Duration duration) {
        clocks().advance(duration);
    }

    /** Lets a new lease expire. */
    protected final void passLease() {
        pass(LEASE.plus(INSTANT_MORE));
    }

    /** Lets a new time limit pass, and with it the lease. */
    protected final void passLimit() {
        pass(LIMIT.plus(INSTANT_MORE));
    }

    /** An attempt id that no other request of this case has. */
    protected final AttemptId nextAttempt() {
        return new AttemptId(0xA77E_0000_0000_0000L, attempts.incrementAndGet());
    }

    /** A fresh claim of {@link #KEY}. */
    protected final ClaimRequest request() {
        return request(KEY);
    }

    /** A fresh claim by an owner without a process. */
    protected final ClaimRequest request(Address address) {
        return request(address, Owner.named("tester"));
    }

    /** A fresh claim of {@link #KEY} by this owner. */
    protected final ClaimRequest request(Owner owner) {
        return request(KEY, owner);
    }

    private ClaimRequest request(Address address, Owner owner) {
        return ClaimRequest.of(nextAttempt(), address, IDENTITY, owner)
                .withLease(LEASE)
                .withTimeLimit(LIMIT);
    }

    /** A fresh claim of {@link #KEY} with these fingerprints. */
    protected final ClaimRequest request(Fingerprints fingerprints) {
        ClaimRequest like = request();
        return ClaimRequest.of(like.attemptId(), KEY, fingerprints, like.owner())
                .withLease(LEASE)
                .withTimeLimit(LIMIT);
    }

    /** Claims, and fails if it is not granted. */
    protected final Entry granted(ClaimRequest request) {
        return answer(Claim.Granted.class, ledger.claim(request)).entry();
    }

    /** Claims {@link #KEY}, and fails if it is not granted. */
    protected final Ticket take() {
        return granted(request()).ticket();
    }

    /** Claims an address, and fails if it is not granted. */
    protected final Ticket take(Address address) {
        return granted(request(address)).ticket();
    }

    /** Takes {@link #KEY} over to run it again, and fails if it is not granted. */
    protected final Ticket takeOver() {
        return granted(request().withTakeOver(TakeOver.RERUN)).ticket();
    }

    /** Takes {@link #KEY} over to ask a probe, and fails if it is not granted. */
    protected final Ticket takeOverToProbe() {
        Entry entry = granted(request().withTakeOver(TakeOver.PROBE));
        assertThat(entry.probing()).as("the ticket is for a probe").isTrue();
        return entry.ticket();
    }

    /** Fails if the answer is of another kind. */
    protected static <T> T answer(Class<T> kind, Object answer) {
        assertThat(answer).isInstanceOf(kind);
        return kind.cast(answer);
    }

    /** The entry that {@link Ledger#find} returns for {@link #KEY}; fails if there is none. */
    protected final Entry entry() {
        return entry(KEY);
    }

    /** The entry that {@link Ledger#find} returns; fails if there is none. */
    protected final Entry entry(Address address) {
        Optional<Entry> found = ledger.find(address);
        assertThat(found).as("entry at %s", address).isPresent();
        return found.orElseThrow();
    }

    /** Compares field by field, so that a difference is named. */
    protected static RecursiveComparisonAssert<?> assertThatAllOf(@Nullable Object value) {
        return assertThat(value).usingRecursiveComparison().withStrictTypeChecking();
    }
}
