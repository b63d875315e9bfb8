package dev.idem.agent.inbox;

import dev.idem.Idem;
import dev.idem.Operation;
import dev.idem.Policy;
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
 * have handlers that are safe to run again, best by guarding the steps inside them. A {@link #policy} with
 * {@code onDoubt(OnDoubt.PROBE)} is for handlers that are not.
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

    /** Changes the operation of each event: adds a probe or labels. */
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
