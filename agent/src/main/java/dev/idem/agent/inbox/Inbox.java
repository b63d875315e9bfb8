package dev.idem.agent.inbox;

import dev.idem.Idem;
import dev.idem.Operation;
import dev.idem.TypeRef;
import dev.idem.spi.Browsable;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Takes in events that are delivered at least once, and handles each once: {@code Inbox.of(idem, "stripe")}.
 *
 * <p>An event is claimed before its handler runs and settled after it. A duplicate gets what the first delivery gave. A
 * handler that throws, or whose process dies, is run again at the next delivery: whoever takes in events is expected to
 * have handlers that are safe to run again, best by guarding the steps inside them. One that is not says
 * {@link #halting()}.
 *
 * <p>Immutable: every method but {@link #receive} gives a new one.
 *
 * @param <T> what handlers give
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
     * @param source names who sends them, and is part of their scope: two sources may use the same ids
     */
    public static Inbox<@Nullable Object> of(Idem idem, String source) {
        InboxPlan plan = new InboxPlan(source);
        return new Inbox<>(idem, idem.operation(InboxPlan.EVENT).scope(plan.scope), plan);
    }

    /** What handlers give has this type. */
    public <R> Inbox<R> returning(Class<R> type) {
        return new Inbox<>(idem, operation.returning(type), plan);
    }

    /** What handlers give has this type. */
    public <R extends @Nullable Object> Inbox<R> returning(TypeRef<R> type) {
        return new Inbox<>(idem, operation.returning(type), plan);
    }

    /** How long an event is remembered after it was handled; 7 days unless told. */
    public Inbox<T> retention(Duration keep) {
        return with(copy -> copy.retention = keep);
    }

    /**
     * How many handled events are remembered, about; no bound but the retention unless told. The oldest go first; what is
     * in progress or in doubt stays.
     *
     * @throws IllegalArgumentException when the ledger can't be browsed, or fewer than one is asked for
     */
    public Inbox<T> remember(int events) {
        if (events < 1) {
            throw new IllegalArgumentException("an inbox remembers at least one event, not " + events);
        }
        if (idem.ledger().as(Browsable.class).isEmpty()) {
            throw new IllegalArgumentException("ledger " + idem.ledger().describe()
                    + " can't be browsed, so nobody could say which events are the oldest. Use retention(...) alone");
        }
        return with(copy -> copy.mostEvents = events);
    }

    /**
     * How long the queue hides an event after it delivered it; unknown unless told. The lease is kept shorter.
     *
     * @throws IllegalArgumentException when the lease is not shorter
     */
    public Inbox<T> visibilityTimeout(Duration timeout) {
        return with(copy -> copy.visibility = timeout);
    }

    /**
     * How long a handler is trusted without a heartbeat; 30 s or half the visibility time-out, whichever is shorter.
     *
     * @throws IllegalArgumentException when it is not shorter than the visibility time-out
     */
    public Inbox<T> lease(Duration lease) {
        return with(copy -> copy.lease = lease);
    }

    /** How long a handler may act; 5 min unless told. */
    public Inbox<T> timeLimit(Duration limit) {
        return with(copy -> copy.timeLimit = limit);
    }

    /** How long a duplicate waits for a delivery that is being handled; 10 s unless told. */
    public Inbox<T> waitFor(Duration wait) {
        return with(copy -> copy.wait = wait);
    }

    /**
     * Gives an event up when its handler has failed or died this often: it is handed to the dead letters, once, and
     * every later delivery is told so. Never unless told.
     */
    public Inbox<T> poisonAfter(int attempts, DeadLetters deadLetters) {
        if (attempts < 1) {
            throw new IllegalArgumentException("an event is tried at least once, not " + attempts + " times");
        }
        return with(copy -> {
            copy.mostAttempts = attempts;
            copy.deadLetters = deadLetters;
        });
    }

    /**
     * Handlers are not safe to run again: after a crash or an ambiguous failure the event is in doubt, and is handled
     * again only if the failure was definite or a probe ({@link #each}) found that nothing happened.
     */
    public Inbox<T> halting() {
        return with(copy -> copy.halting = true);
    }

    /** Whatever else holds for the operation of each event: a probe, definite failures, labels. */
    public Inbox<T> each(UnaryOperator<Operation<T>> declaration) {
        return new Inbox<>(idem, declaration.apply(operation), plan);
    }

    /**
     * Handles the event, or says how an earlier delivery of it ended. Acknowledge it to its source when
     * {@link Delivery#acknowledge()} says so, and only then.
     *
     * @throws dev.idem.LedgerException when the ledger can't be reached or read: nothing ran, deliver it again
     */
    public Delivery<T> receive(Event event, Handler<? extends T> handler) {
        Delivery<T> delivery = new Reception<>(idem, operation, plan).of(event, handler);
        trimming.after(delivery);
        return delivery;
    }

    private Inbox<T> with(Consumer<InboxPlan> change) {
        InboxPlan copy = plan.copy();
        change.accept(copy);
        return new Inbox<>(idem, operation, copy.checked());
    }
}
