package dev.idem.internal;

import dev.idem.Address;
import dev.idem.Counts;
import dev.idem.Entry;
import dev.idem.ExpiredException;
import dev.idem.JsonException;
import dev.idem.LedgerException;
import dev.idem.Outcome;
import dev.idem.Provenance;
import dev.idem.Repeat;
import dev.idem.ResultUnavailableException;
import dev.idem.SideEffect;
import dev.idem.State;
import dev.idem.TransactionMode;
import dev.idem.Warning;
import dev.idem.internal.Guarded.Answer;
import dev.idem.internal.Guarded.Answer.Ended;
import dev.idem.seal.SealedLedger;
import dev.idem.spi.AmbientTransactions.Ambient;
import dev.idem.spi.Ledger;
import dev.idem.spi.Result;
import dev.idem.spi.Settlement;
import java.lang.reflect.Modifier;
import java.lang.reflect.Type;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** Runs calls: shares them within this process, and claims, waits, recovers and settles through the ledger. */
public final class Engine implements AutoCloseable {
    /** The engine that this one works for inside a transaction of a framework; itself otherwise. */
    final Engine root;
    /** The transaction of a framework that this engine writes through, if there is one. */
    final @Nullable JoinedTransaction around;

    final Ledger ledger;
    final Settings settings;
    final Events events;
    final Heartbeats heartbeats;
    final Resender resender;
    final Waiting waiting;
    private final NearCache nearCache;
    final Purging purging;
    private final Flights flights = new Flights();
    /** Two counters that only grow: cheap for calls, and consistent when {@code claimsOver} is read first. */
    private final LongAdder claimsSent = new LongAdder();

    private final LongAdder claimsOver = new LongAdder();
    private volatile boolean closed;

    public Engine(Ledger ledger, Settings settings) {
        this.root = this;
        this.around = null;
        this.ledger = ledger;
        this.settings = settings;
        this.events = new Events(settings.listeners());
        this.heartbeats = new Heartbeats(ledger, settings.nanos(), settings.wall(), events);
        this.resender = new Resender(ledger, settings.nanos(), settings.settleFor(), heartbeats::settleLater);
        this.waiting = new Waiting(ledger, settings.nanos());
        this.nearCache = new NearCache(settings.nearCache(), settings.nanos(), settings.wall());
        this.purging = new Purging(ledger, settings.purgeEvery());
    }

    /**
     * An engine for one call inside a transaction. It sends nothing twice, since an error may have ended the transaction,
     * and publishes nothing before the commit.
     */
    private Engine(Engine root, JoinedTransaction around) {
        this.root = root;
        this.around = around;
        this.ledger = around.ledger();
        this.settings = root.settings;
        this.events = root.events.publishedBy(around::publish);
        this.heartbeats = Heartbeats.none(ledger, settings, events, root.heartbeats);
        this.resender = Resender.never(ledger, settings.nanos());
        this.waiting = new Waiting(ledger, settings.nanos());
        this.nearCache = new NearCache(NearCache.Limits.OFF, settings.nanos(), settings.wall());
        this.purging = root.purging;
    }

    public Settings settings() {
        return settings;
    }

    public Counts counts() {
        return events.counts();
    }

    /** The entry of a call, if there is one. */
    public Optional<Entry> find(Plan plan) {
        return ledger.find(Subject.of(plan, this).address());
    }

    /** Runs a call and returns its outcome. An exception of its own action is the failure of the outcome. */
    public <T extends @Nullable Object> Outcome<T> run(Plan plan, Work<T> work) throws InterruptedException {
        return call(plan, Runner.running(work)).join();
    }

    /** Starts a call in this thread. It ends, and is settled, when the stage of its action completes. */
    public <T extends @Nullable Object> CompletableFuture<Outcome<T>> start(
            Plan plan, Work<? extends CompletionStage<? extends T>> work) throws InterruptedException {
        return call(plan, Runner.starting(work));
    }

    private <T extends @Nullable Object> CompletableFuture<Outcome<T>> call(Plan plan, Runner<T> runner)
            throws InterruptedException {
        Frame around = Frame.current();
        try {
            return admitted(plan, around, runner).whenComplete((outcome, thrown) -> {
                Throwable failure = thrown == null ? outcome.failure() : Attempt.unwrapped(thrown);
                if (failure != null) {
                    threw(around, failure);
                }
            });
        } catch (RuntimeException | Error thrown) {
            threw(around, thrown);
            throw thrown;
        }
    }

    /** Remembers the exception of a call: it proves nothing about the operation around that call. */
    void threw(@Nullable Frame around, Throwable thrown) {
        if (around != null) {
            around.innerThrew(thrown);
        } else {
            // An action may have made the call in a thread of its own.
            OutsideExceptions.OF_THIS_PROCESS.add(thrown);
        }
    }

    private <T extends @Nullable Object> CompletableFuture<Outcome<T>> admitted(
            Plan plan, @Nullable Frame around, Runner<T> runner) throws InterruptedException {
        requireOpen();
        requireNoSession(plan);
        Subject subject;
        try {
            subject = Subject.of(plan, this);
        } catch (IllegalArgumentException | JsonException unusable) {
            return CompletableFuture.completedFuture(new Outcome.Failed<>(unusable));
        }
        if (around != null) {
            around.refuseInside(subject.address(), this);
            if (plan.policy.sideEffect() != SideEffect.READ) {
                around.refuseBesideAlone(subject.address(), this);
            }
        }
        for (Warning warning : subject.warnings()) {
            events.warned(subject.address(), warning);
        }
        purging.start();
        if (plan.policy.sideEffect() == SideEffect.READ) {
            return read(subject, runner);
        }
        Address parent = Frame.parentIn(around, this);
        Ambient transaction = settings.transactions().current();
        if (around != null && transaction != null && plan.policy.transaction() == TransactionMode.JOIN) {
            around.refuseToJoin(transaction, subject.address());
        }
        JoinedTransaction joined = new Surroundings(ledger, subject.address(), plan.policy).joined(transaction, runner);
        return joined == null
                ? guarded(plan, subject, parent, runner)
                : CompletableFuture.completedFuture(joined(plan, subject, parent, runner, joined));
    }

    /** Runs a call inside the transaction of its caller. Its entry exists if and only if that transaction commits. */
    private <T extends @Nullable Object> Outcome<T> joined(
            Plan plan, Subject subject, @Nullable Address parent, Runner<T> runner, JoinedTransaction transaction)
            throws InterruptedException {
        Plan inside = plan.copy();
        // This lease is never renewed, and other callers do not see it before the commit.
        inside.policy = plan.policy.lease(plan.policy.timeLimit());
        claiming();
        try (transaction) {
            Engine joined = new Engine(this, transaction);
            return ended(new Guarded<T>(joined, inside, subject, parent).alone(), runner)
                    .join()
                    .outcome();
        } catch (LedgerException e) {
            throw transaction.translated(e);
        } finally {
            claimed();
        }
    }

    /** A call that ran without its approval would be worse than one that is refused. */
    private static void requireNoSession(Plan plan) {
        if (plan.policy.needsApproval() || plan.policy.retry() != null) {
            throw new IllegalStateException("the policy of operation '" + plan.operation + "' sets "
                    + (plan.policy.needsApproval() ? "approval" : "retry")
                    + ", which needs a session of idem-agent. Make the call a tool: Session.of(idem, id, Tool.named(\""
                    + plan.operation + "\").policy(policy).run(...)), or leave the option out. Nothing ran");
        }
    }

    private <T extends @Nullable Object> CompletableFuture<Outcome<T>> guarded(
            Plan plan, Subject subject, @Nullable Address parent, Runner<T> runner) throws InterruptedException {
        Repeat repeat = plan.policy.onRepeat();
        Entry near = repeat == Repeat.RUN ? null : nearCache.find(subject.address(), subject.fingerprints());
        if (near != null) {
            return CompletableFuture.completedFuture(replay(plan, subject, near, "replayed from the near cache", true));
        }
        Guarded<T> guarded = new Guarded<>(this, plan, subject, parent);
        if (plan.policy.waitFor().isZero()) {
            return ended(guarded.alone(), runner).thenApply(Ended::outcome);
        }
        Flight mine = new Flight(subject.address(), subject.fingerprints(), repeat);
        Flight running = flights.join(mine);
        if (running != null) {
            Answer<T> answer =
                    running.serves(subject.fingerprints(), repeat) ? guarded.sharing(running) : guarded.alone();
            return ended(answer, runner).thenApply(Ended::outcome);
        }
        boolean started = false;
        try {
            CompletableFuture<Ended<T>> end = ended(guarded.alone(), runner);
            started = true;
            return end.whenComplete((ended, thrown) -> land(mine, ended == null ? null : ended.shared()))
                    .thenApply(Ended::outcome);
        } finally {
            if (!started) {
                land(mine, null);
            }
        }
    }

    private static <T extends @Nullable Object> CompletableFuture<Ended<T>> ended(Answer<T> answer, Runner<T> runner) {
        return answer instanceof Answer.Granted<T> granted
                ? runner.run(granted.attempt())
                : CompletableFuture.completedFuture((Ended<T>) answer);
    }

    /** In this order: a landed flight that is still registered would be shared for ever. */
    private void land(Flight mine, @Nullable Entry shared) {
        try {
            flights.leave(mine);
        } finally {
            mine.land(shared);
        }
    }

    /** Runs a READ, which is not claimed. */
    private static <T extends @Nullable Object> CompletableFuture<Outcome<T>> read(Subject subject, Runner<T> runner) {
        Instant now = Instant.now();
        try {
            return runner.read(new ReadCall(subject.address()))
                    .<Outcome<T>>handle((value, thrown) -> thrown == null
                            ? new Outcome.Done<>(value, Provenance.ofRead(subject.address(), now, subject.warnings()))
                            : new Outcome.Failed<>(Attempt.unwrapped(thrown)))
                    .toCompletableFuture();
        } catch (Throwable thrown) {
            return CompletableFuture.completedFuture(new Outcome.Failed<>(thrown));
        }
    }

    /** The outcome of a duplicate of a complete entry. */
    <T extends @Nullable Object> Outcome<T> replay(
            Plan plan, Subject subject, Entry entry, String how, boolean shared) {
        List<Warning> warnings = Comparing.warnings(subject, entry);
        warnings.forEach(warning -> events.warned(subject.address(), warning));
        if (entry.state() == State.EXPIRED) {
            var expired = new ExpiredException(entry);
            events.refused(expired);
            return new Outcome.Expired<>(expired);
        }
        if (entry.result() instanceof Result.Unavailable unavailable) {
            SealedLedger.requireUnsealed(entry);
            return unavailable(entry, unavailable.why(), null);
        }
        Result.Stored stored = (Result.Stored) Objects.requireNonNull(entry.result());
        T value;
        try {
            value = decoded(plan, stored);
        } catch (Exception | LinkageError | StackOverflowError e) {
            SealedLedger.requireUnsealed(entry);
            return unavailable(entry, String.valueOf(e.getMessage()), e);
        }
        events.replayed(subject.address(), shared);
        return new Outcome.Replayed<>(value, Provenance.ofReplay(entry, how, warnings));
    }

    /** Whether an attempt was completed, even if only its tombstone is left. */
    static boolean isCompleted(Entry entry) {
        return entry.settlement() instanceof Settlement.Completed;
    }

    private <T extends @Nullable Object> Outcome<T> unavailable(Entry entry, String why, @Nullable Throwable cause) {
        var exception = new ResultUnavailableException(entry, why, cause);
        events.refused(exception);
        return new Outcome.Unavailable<>(exception);
    }

    // The plan's type is T by construction, and null only where T allows it.
    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals", "NullAway"})
    private <T extends @Nullable Object> T decoded(Plan plan, Result.Stored stored) throws Exception {
        return (T) settings.codecs().decode(stored.payload(), plan.type);
    }

    /** The value for the first caller: its own object or, if the type names no class, the value duplicates will get. */
    <T extends @Nullable Object> T own(Plan plan, T value, Result result) {
        if (isConcrete(plan.type) || !(result instanceof Result.Stored stored)) {
            return value;
        }
        try {
            return decoded(plan, stored);
        } catch (Throwable e) {
            return value;
        }
    }

    /** A list, a number or an object may come back as another class than it was. */
    private static boolean isConcrete(Type type) {
        return type instanceof Class<?> exact
                && exact != Object.class
                && (exact.isPrimitive() || exact.isArray() || !Modifier.isAbstract(exact.getModifiers()));
    }

    /** The state of the near cache before a claim, for {@link #remember}. */
    long remembered() {
        return nearCache.drops();
    }

    /**
     * Caches an entry that the ledger has acknowledged as complete, to answer duplicates in this process.
     *
     * @param remembered the value of {@link #remembered()} before the claim: this entry may have been dropped since
     */
    void remember(Entry entry, long remembered) {
        nearCache.keep(entry, remembered);
    }

    /** Settles an entry by a person's decision; false when nothing was written. */
    public boolean resolve(Entry seen, Settlement how) {
        try {
            return ledger.resolve(seen.address(), seen.fence(), how);
        } finally {
            dropFromNearCache(seen.address());
        }
    }

    /** Drops a manually changed entry from the memory of this process. */
    public void dropFromNearCache(Address address) {
        nearCache.drop(address);
    }

    /** How long ago the first claim was, by the clock of this process. */
    Duration ageOf(Entry entry) {
        Duration age = Duration.between(
                entry.began(), Instant.ofEpochMilli(settings.wall().getAsLong()));
        return age.isNegative() ? Duration.ZERO : age;
    }

    /** While closing, a running operation may still call its inner operations: else it would end in doubt. */
    void requireOpen() {
        if (root.closed && (root.heartbeats.closed() || !Frame.inside(root))) {
            throw new IllegalStateException("Idem is closed; open it for as long as calls are made");
        }
    }

    /** From now on no call begins. */
    public void refuseCalls() {
        closed = true;
    }

    /** A claim is about to be sent. Until {@link #claimed()}, its call counts as running. */
    void claiming() {
        claimsSent.increment();
    }

    /** The claim was answered and, if granted, its ticket is held. */
    void claimed() {
        claimsOver.increment();
    }

    /** The number of running actions, including those whose claim is still unanswered. */
    public long running() {
        // In this order: a ticket that is held just before its claim counts as over must not be missed.
        long over = claimsOver.sum();
        return claimsSent.sum() - over + heartbeats.running();
    }

    @Override
    public void close() {
        closed = true;
        purging.close();
        heartbeats.close();
    }
}
