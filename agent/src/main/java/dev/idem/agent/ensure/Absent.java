package dev.idem.agent.ensure;

import dev.idem.Action;
import dev.idem.Address;
import dev.idem.Call;
import dev.idem.Entry;
import dev.idem.Idem;
import dev.idem.Operation;
import dev.idem.Outcome;
import dev.idem.Policy;
import dev.idem.Preparation;
import dev.idem.Probe;
import dev.idem.State;
import dev.idem.spi.Effect;
import dev.idem.spi.Fence;
import java.time.Duration;
import java.util.Optional;

/**
 * Creates a thing if it is absent. Immutable and thread-safe.
 *
 * @param <T> the thing
 * @param <Y> the exception of the look
 */
public final class Absent<T, Y extends Exception> {
    /** Only callers that wait for this call need its result, for as long as they take to read it. */
    private static final Duration NEXT_TO_NOTHING = Duration.ofMillis(100);

    /** Marks the entry of an ensure, in every language, so that the next one may forget it. */
    private static final String LABEL = "ensure";

    private static final String SET = "true";

    private final Idem idem;
    private final Operation<T> operation;
    private final Preparation<Optional<T>, Y> look;

    Absent(Idem idem, Operation<T> operation, Preparation<Optional<T>, Y> look) {
        this.idem = idem;
        this.operation = operation
                .policy(Policy.unset().retention(NEXT_TO_NOTHING))
                .label(LABEL, SET)
                .probe(doubted -> {
                    requireOwn(doubted);
                    return verdict(Looked.require(look.prepare()));
                });
        this.look = () -> Looked.require(look.prepare());
    }

    /**
     * Creates the thing, unless it exists.
     *
     * <p>Do not hand {@link Call#key()} to a remote that deduplicates by keys: a thing that is created again has the same
     * key. {@code call.key() + "-" + call.fence()} is different each time.
     *
     * @throws X that the action throws, with the doubt as a suppressed exception where there is one
     * @throws Y that the look throws; nothing was created
     * @throws IllegalStateException if the key has the entry of an ordinary call; nothing was created
     * @throws dev.idem.IdemException if another call takes too long, or an earlier attempt is in doubt and can't be
     *     probed yet
     */
    public <X extends Exception> Ensured<T> then(Action<? extends T, X> action) throws X, Y {
        long newest = Long.MIN_VALUE;
        while (true) {
            Outcome<T> outcome = operation.prepare(look).attempt((call, found) -> made(action, call, found));
            if (outcome instanceof Outcome.Done<T> done) {
                return done.effect() == Effect.NOOP ? Ensured.ofFound(done.value()) : Ensured.ofNew(done.value());
            } else if (outcome instanceof Outcome.Replayed<T> replayed) {
                // A call that started after this one has looked while this one waited. The result of a call that may
                // have
                // started before is not used: the thing may be gone since.
                Fence fence = replayed.provenance().fence();
                Optional<Entry> left = left(replayed.address());
                if (fence != null
                        && newest != Long.MIN_VALUE
                        && fence.number() > newest
                        && left.filter(entry -> fence.equals(entry.tenure().acted()))
                                .isPresent()) {
                    return Ensured.ofFound(replayed.value());
                }
                newest = fence == null ? newest : fence.number();
                left.ifPresent(idem::forget);
            } else if (outcome instanceof Outcome.Unavailable<T> unavailable) {
                left(unavailable.failure().entry().address()).ifPresent(idem::forget);
            } else {
                throw Absent.<X>thrown(outcome);
            }
        }
    }

    private static <T, X extends Exception> T made(Action<? extends T, X> action, Call call, Optional<T> found)
            throws X {
        if (found.isPresent()) {
            call.effect(Effect.NOOP);
            return found.get();
        }
        return action.run(call);
    }

    private static <T> Probe.Verdict<T> verdict(Optional<T> found) {
        return found.<Probe.Verdict<T>>map(Probe.Verdict::happened).orElseGet(Probe.Verdict::notExecuted);
    }

    /** The complete entry that another ensure has left. It may have expired or been claimed meanwhile, which is fine. */
    private Optional<Entry> left(Address address) {
        return idem.find(address)
                .filter(found -> found.state() == State.COMPLETE)
                .map(Absent::requireOwn);
    }

    private static Entry requireOwn(Entry entry) {
        if (!SET.equals(entry.labels().get(LABEL))) {
            throw new IllegalStateException(
                    entry.address() + " belongs to an ordinary call, whose result would be lost. "
                            + "Give Ensure another name, scope, key or identity. Nothing was created");
        }
        return entry;
    }

    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"
    }) // a checked exception can only be that of the look or the action
    private static <X extends Exception> X thrown(Outcome<?> outcome) throws X {
        Throwable why = outcome.failure();
        if (why instanceof Error error) {
            throw error;
        }
        throw (X) why;
    }
}
