package dev.idem.agent.inbox;

import dev.idem.Idem;
import dev.idem.Operation;
import dev.idem.Policy;
import dev.idem.TypeRef;
import dev.idem.spi.browse.Browsable;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Receives events that are delivered at least once, and handles each once.
 *
 * <pre>{@code
 * Inbox<?> inbox = Inbox.of(idem, "stripe");
 * Delivery<?> delivery = inbox.receive(Event.of(id, body), (event, call) -> book(event));
 * respond(delivery.acknowledge() ? 200 : 503);
 * }</pre>
 *
 * <p>An event is claimed before its handler runs and settled after it. A duplicate gets the result of the first delivery.
 * A handler that throws, or whose process dies, runs again at the next delivery. So handlers must be safe to run again,
 * best by making each of their steps an operation. For a handler that is not, set a {@link #policy} with
 * {@code onDoubt(OnDoubt.PROBE)}.
 *
 * <p>Immutable and thread-safe: every method but {@link #receive} returns a new inbox.
 *
 * @param <T> the result of a handler
 */
public final class Inbox<T extends @Nullable Object> {
    private final Idem idem;
    private final Operation<T> operation;
    private final InboxPlan plan;
    private final Trimming trimming;

    private Inbox(Idem idem, Operation<T> operation, InboxPlan plan) {
        this.idem = idem;
        this.operation = operation;
        this.plan = plan;
        this.trimming = new Trimming(idem, plan);
    }

    /**
     * An inbox for the events of one source.
     *
     * @param source names the sender, and is part of the scope: two sources may use the same ids
     */
    public static Inbox<@Nullable Object> of(Idem idem, String source) {
        InboxPlan plan = new InboxPlan(source);
        return new Inbox<>(idem, idem.operation(InboxPlan.EVENT).scope(plan.scope), plan);
    }

    /** Sets the type of a handler's result. */
    public <R> Inbox<R> returning(Class<R> type) {
        return new Inbox<>(idem, operation.returning(type), plan);
    }

    /** Sets the type of a handler's result. */
    public <R extends @Nullable Object> Inbox<R> returning(TypeRef<R> type) {
        return new Inbox<>(idem, operation.returning(type), plan);
    }

    /**
     * Sets how events are treated. The lease is 30 s or half the visibility time-out, whichever is shorter, unless the
     * policy sets it; a duplicate waits for at most half the visibility time-out. An event in doubt is handled again,
     * unless the policy sets {@code onDoubt(OnDoubt.PROBE)} or {@code HALT}: then the handler is not safe to run again,
     * and runs only after a definite failure or when a probe ({@link #each}) found that nothing happened.
     *
     * @throws IllegalArgumentException if the lease is not shorter than the visibility time-out
     */
    public Inbox<T> policy(Policy policy) {
        return with(copy -> copy.policy = policy.over(copy.policy));
    }

    /**
     * Sets about how many handled events are remembered; only the retention bounds them by default. The oldest are
     * forgotten first; events in progress or in doubt are kept.
     *
     * @throws IllegalArgumentException if the ledger can't be browsed, or the number is less than 1
     */
    public Inbox<T> remember(int events) {
        if (events < 1) {
            throw new IllegalArgumentException("an inbox remembers at least one event, not " + events);
        }
        if (idem.ledger().as(Browsable.class).isEmpty()) {
            throw new IllegalArgumentException("ledger " + idem.ledger().describe()
                    + " can't be browsed, so the oldest events are unknown. Use retention(...) alone");
        }
        return with(copy -> copy.mostEvents = events);
    }

    /**
     * Sets how long the queue hides a delivered event; unknown by default. The lease must be shorter.
     *
     * @throws IllegalArgumentException if the lease is not shorter
     */
    public Inbox<T> visibilityTimeout(Duration timeout) {
        return with(copy -> copy.visibility = timeout);
    }

    /**
     * Gives an event up after this many failed attempts, and keeps it in the ledger: {@link Poison} lists it and has it
     * handled again.
     *
     * @throws IllegalArgumentException if the number is less than 1
     */
    public Inbox<T> poisonAfter(int attempts) {
        requireAttempts(attempts);
        return with(copy -> {
            copy.mostAttempts = attempts;
            copy.deadLetters = null;
            copy.keepsPoison = true;
        });
    }

    /**
     * Gives an event up after this many failed attempts; never by default. The event is handed to the dead letters once,
     * and later deliveries are acknowledged.
     *
     * @throws IllegalArgumentException if the number is less than 1
     */
    public Inbox<T> poisonAfter(int attempts, DeadLetters deadLetters) {
        requireAttempts(attempts);
        return with(copy -> {
            copy.mostAttempts = attempts;
            copy.deadLetters = deadLetters;
            copy.keepsPoison = false;
        });
    }

    private static void requireAttempts(int attempts) {
        if (attempts < 1) {
            throw new IllegalArgumentException("an event is tried at least once, not " + attempts + " times");
        }
    }

    /** Changes the operation of each event: adds a probe or labels. */
    public Inbox<T> each(UnaryOperator<Operation<T>> declaration) {
        return new Inbox<>(idem, declaration.apply(operation), plan);
    }

    /**
     * Handles the event, or gives the result of an earlier delivery. Acknowledge it to its source only if
     * {@link Delivery#acknowledge()} is true.
     *
     * @throws dev.idem.LedgerException when the ledger can't be reached or read: the event may have been handled, deliver
     *     it again
     */
    public Delivery<T> receive(Event event, Handler<? extends T> handler) {
        Delivery<T> delivery = new Reception<>(idem, operation, plan).of(event, handler);
        trimming.after(delivery);
        return delivery;
    }

    /**
     * Starts to handle the events that are recorded for this source: those of {@link InboxDriver#take}, those that a
     * process left behind, and those that {@link Poison#again} sends again. After its retention a handled event keeps a
     * tombstone of 365 days, unless the policy sets one or keeps failures: a process may die before it forgets what was
     * recorded, and be away for longer than the retention.
     *
     * @throws IllegalArgumentException if the ledger can't be browsed
     */
    public InboxDriver drive(Handler<? extends T> handler, Pace pace) {
        if (idem.ledger().as(Browsable.class).isEmpty()) {
            throw new IllegalArgumentException("ledger " + idem.ledger().describe()
                    + " can't be browsed, so recorded events would not be found after a restart. Use another ledger, or"
                    + " handle each event before you acknowledge it");
        }
        Inbox<T> impatient = with(
                copy -> copy.policy = copy.policy.waitFor(Duration.ZERO).over(InboxPlan.tombstoneUnder(copy.policy)));
        return new InboxDriver(
                new RecordedEvents(idem, plan.scope, pace, event -> impatient.receive(event, handler)), pace);
    }

    private Inbox<T> with(Consumer<InboxPlan> change) {
        InboxPlan copy = plan.copy();
        change.accept(copy);
        return new Inbox<>(idem, operation, copy.checked());
    }
}
