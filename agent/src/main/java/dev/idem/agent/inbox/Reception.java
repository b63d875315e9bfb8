package dev.idem.agent.inbox;

import dev.idem.Address;
import dev.idem.Call;
import dev.idem.Classifier;
import dev.idem.Idem;
import dev.idem.InDoubtException;
import dev.idem.NotExecutedException;
import dev.idem.Operation;
import dev.idem.Outcome;
import dev.idem.Policy;
import dev.idem.State;
import dev.idem.spi.Fence;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Processes one delivery: claims the event, handles it or answers it, and gives it up after too many attempts. */
final class Reception<T extends @Nullable Object> {
    private static final Duration LONGER = Duration.ofDays(1);

    private final Idem idem;
    private final Operation<T> operation;
    private final InboxPlan plan;

    /** The fence of the call that gave the event up, or found that it was given up before. */
    private @Nullable Fence givenUp;

    Reception(Idem idem, Operation<T> operation, InboxPlan plan) {
        this.idem = idem;
        this.operation = operation;
        this.plan = plan;
    }

    Delivery<T> of(Event event, Handler<? extends T> handler) {
        // The key stands for the event. A source may word the body differently at the next delivery.
        Delivery<T> delivery = delivered(EventKeys.known(operation, plan.scope, event)
                .content(EventKeys.digest(event.bytes()))
                .policy(plan.effective())
                .attempt(call -> handle(event, handler, call)));
        Fence fence = givenUp;
        if (fence != null && plan.keepsPoison) {
            // The dead letter alone keeps the event from running, so that Poison can undo it. With another fence it was
            // sent again meanwhile, and may have been handled.
            idem.find(new Address(plan.scope, InboxPlan.EVENT, EventKeys.of(plan.scope, event)))
                    .filter(entry -> entry.fence().equals(fence)
                            && (entry.state() == State.FAILED || entry.state() == State.IN_DOUBT))
                    .ifPresent(idem::forget);
        }
        return delivery;
    }

    /** Runs the handler. After the last failed attempt the event goes to the dead letters. */
    private T handle(Event event, Handler<? extends T> handler, Call call) throws Exception {
        if (plan.keepsPoison && isDeadLetter(call.key())) {
            givenUp = call.fence();
            throw new NotExecutedException("the event was given up before");
        }
        if (call.attempt() > plan.mostAttempts) {
            return giveUp(event, call, null);
        }
        try {
            return handler.handle(event, call);
        } catch (Exception failure) {
            if (call.attempt() < plan.mostAttempts || !plan.givesUp() || plan.halts()) {
                throw failure;
            }
            try {
                return giveUp(event, call, failure);
            } catch (Exception e) {
                e.addSuppressed(failure);
                throw e;
            }
        }
    }

    /**
     * Hands the event to the dead letters. This is an operation, so that it happens once even if the process dies before
     * the event is settled.
     */
    @SuppressWarnings("NullAway") // a dead letter has no value; this one is not shown
    private T giveUp(Event event, Call call, @Nullable Exception failure) throws Exception {
        DeadLetters deadLetters = plan.deadLetters;
        int attempts = Math.min(call.attempt(), plan.mostAttempts);
        if (plan.keepsPoison) {
            new KeptEvents(idem, plan.scope).giveUp(call.key(), event, attempts, failure);
            givenUp = call.fence();
            // Not complete: a complete entry would keep an event from running that is sent again.
            throw new NotExecutedException("the event was given up after " + attempts + " attempts", failure);
        }
        if (deadLetters != null) {
            idem.operation(InboxPlan.DEAD_LETTER)
                    .scope(plan.scope)
                    .key(call.key())
                    .policy(letters())
                    .perform(inner ->
                            deadLetters.accept(new DeadLetter(plan.source, event, call.key(), attempts, failure)));
        }
        givenUp = call.fence();
        return null;
    }

    /**
     * The policy of a dead letter. A receiver that threw has not taken the letter, so it is offered again. The entry
     * tells a dead letter from a handler that returned null, so it is kept for longer than the event.
     */
    private Policy letters() {
        Policy event = plan.effective();
        return Policy.unset()
                .lease(event.lease())
                .classify(thrown -> Classifier.Judgement.DEFINITE)
                .retention(event.retention().keep().plus(LONGER));
    }

    private Delivery<T> delivered(Outcome<T> outcome) {
        return outcome.match(new Outcome.Cases<T, Delivery<T>>() {
            @Override
            public Delivery<T> done(Outcome.Done<T> done) {
                return givenUp != null
                        ? new Delivery.DeadLettered<>()
                        : new Delivery.Handled<>(done.value(), done.attempt(), done.warnings());
            }

            @Override
            public Delivery<T> replayed(Outcome.Replayed<T> replayed) {
                return replayed.value() == null
                                && isDeadLetter(replayed.address().key())
                        ? new Delivery.DeadLettered<>()
                        : new Delivery.Duplicate<>(replayed.value(), replayed.executedAt(), replayed.warnings());
            }

            @Override
            public Delivery<T> inFlight(Outcome.InFlight<T> inFlight) {
                return new Delivery.InFlight<>(inFlight.failure());
            }

            @Override
            public Delivery<T> conflict(Outcome.Conflict<T> conflict) {
                return new Delivery.Conflict<>(conflict.failure());
            }

            @Override
            public Delivery<T> inDoubt(Outcome.InDoubt<T> inDoubt) {
                if (givenUp != null) {
                    return new Delivery.DeadLettered<>();
                }
                return plan.halts() || isAboutADeadLetter(inDoubt.failure())
                        ? new Delivery.InDoubt<>(inDoubt.failure())
                        : new Delivery.Failed<>(inDoubt.failure());
            }

            @Override
            public Delivery<T> failed(Outcome.Failed<T> failed) {
                return givenUp != null ? new Delivery.DeadLettered<>() : new Delivery.Failed<>(failed.failure());
            }

            @Override
            public Delivery<T> expired(Outcome.Expired<T> expired) {
                return new Delivery.Done<>(expired.message());
            }

            @Override
            public Delivery<T> unavailable(Outcome.Unavailable<T> unavailable) {
                return new Delivery.Done<>(unavailable.message());
            }
        });
    }

    /** Whether the doubt is about a dead letter: a process died while it gave the event up. */
    private static boolean isAboutADeadLetter(Throwable cause) {
        return cause instanceof InDoubtException doubt
                && doubt.entry().address().operation().equals(InboxPlan.DEAD_LETTER);
    }

    private boolean isDeadLetter(String key) {
        return idem.find(new Address(plan.scope, InboxPlan.DEAD_LETTER, key))
                .filter(entry -> entry.state() == State.COMPLETE)
                .isPresent();
    }
}
