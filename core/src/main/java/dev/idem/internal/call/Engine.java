package dev.idem.internal.call;

import dev.idem.Action;
import dev.idem.Address;
import dev.idem.Counts;
import dev.idem.Entry;
import dev.idem.Outcome;
import dev.idem.Provenance;
import dev.idem.internal.codec.Codecs;
import dev.idem.internal.runtime.Log;
import dev.idem.spi.Ledger;
import dev.idem.spi.Settlement;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Makes calls through one ledger: builds the rooms that a call walks, and the services that they use. */
public final class Engine implements AutoCloseable {
    private final Ledger ledger;
    private final Settings settings;
    private final Events events;
    private final Heartbeats heartbeats;
    private final Resender resender;
    private final NearCache nearCache;
    private final Upkeep upkeep;
    private final Gate gate;
    private final Wiring wiring;
    private final Admission admission;

    public Engine(Ledger ledger, Settings settings) {
        this.ledger = ledger;
        this.settings = settings;
        this.events = new Events(settings.listeners());
        this.heartbeats = new Heartbeats(ledger, settings.clock(), events);
        this.resender = new Resender(ledger, settings.clock(), settings.settleFor(), heartbeats::settleLater);
        this.nearCache = new NearCache(settings.nearCache(), settings.clock());
        this.upkeep = new Upkeep(ledger, settings.purgeEvery());
        this.gate = new Gate(heartbeats);
        this.wiring = new Wiring(ledger, settings, gate, events, heartbeats, resender, nearCache, null);
        this.admission = new Admission(
                gate,
                ledger,
                settings.transactions(),
                settings.keepsDetails(),
                events,
                upkeep,
                wiring.sharing(),
                new JoinedCalls(settings, gate, events, heartbeats));
    }

    /** Makes a call and returns its outcome. An exception of its own action is the failure of the outcome. */
    public <T extends @Nullable Object> Outcome<T> attempt(Plan plan, Work<T> work) {
        return observed(plan, admission.call(plan, new Runner.Running<>(work)).join());
    }

    /**
     * Starts a call in this thread. It ends, and is settled, when the stage of its action completes. All failures are in the
     * future.
     */
    public <T extends @Nullable Object> CompletableFuture<Outcome<T>> start(
            Plan plan, Action<? extends CompletionStage<? extends T>, ?> action) {
        try {
            if (plan.policy().isInterruptible()) {
                throw new IllegalStateException("the policy of operation '" + plan.operation()
                        + "' is interruptible, but attemptStage has no thread to interrupt: leave interruptible() out."
                        + " Nothing ran");
            }
            return admission
                    .call(plan, new Runner.Starting<T>(Work.of(action)))
                    .thenApply(outcome -> observed(plan, outcome));
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    /** Makes a call in the executor of the engine, nested in the operation around the calling code. */
    public <T extends @Nullable Object> CompletableFuture<T> async(Supplier<Outcome<T>> call) {
        var future = new CompletableFuture<T>();
        Frame around = Frame.current();
        Map<String, String> labels = AmbientLabels.current();
        settings.async()
                .execute(() -> AmbientLabels.inside(
                        labels,
                        () -> Frame.inside(around, () -> {
                            try {
                                future.complete(value(call.get()));
                            } catch (Throwable thrown) {
                                future.completeExceptionally(thrown);
                            }
                        })));
        return future;
    }

    /**
     * Gives the value of the outcome.
     *
     * @throws X what the action threw
     */
    @SuppressWarnings("unchecked") // a checked exception can only be the action's, which throws X
    public static <T extends @Nullable Object, X extends Exception> T value(Outcome<T> outcome) throws X {
        if (outcome instanceof Outcome.Valued<T> valued) {
            return valued.value();
        }
        Throwable failure = Objects.requireNonNull(outcome.failure());
        if (failure instanceof Error error) {
            throw error;
        }
        throw (X) failure;
    }

    private static <T extends @Nullable Object> Outcome<T> observed(Plan plan, Outcome<T> outcome) {
        if (plan.observer() != null && outcome instanceof Outcome.Valued<T> valued) {
            show(plan.observer(), valued.provenance());
        }
        return outcome;
    }

    private static void show(Consumer<? super Provenance> observer, Provenance provenance) {
        try {
            observer.accept(provenance);
        } catch (RuntimeException e) {
            Log.warn(() -> "the observer of " + provenance.address() + " threw; the call is not affected", e);
        }
    }

    /** The claims of a caller that settles them itself. */
    public HeldClaims claims() {
        return new HeldClaims(
                gate, upkeep, wiring.claimSender(), heartbeats, resender, events, settings.keepsDetails());
    }

    /** The transactions of the ledger. */
    public LedgerTransactions transactions() {
        return new LedgerTransactions(ledger, settings.transactions());
    }

    public Codecs codecs() {
        return settings.codecs();
    }

    public Counts counts() {
        return events.counts();
    }

    /** The entry of a call, if there is one. */
    public Optional<Entry> find(Plan plan) {
        return ledger.find(Subject.of(plan, settings.keepsDetails()).address());
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

    /** From now on no call begins. */
    public void refuseCalls() {
        gate.close();
    }

    /** The number of running actions, including those whose claim is still unanswered. */
    public long running() {
        return gate.running();
    }

    @Override
    public void close() {
        gate.close();
        upkeep.close();
        heartbeats.close();
    }
}
