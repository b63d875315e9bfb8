package dev.idem.gauntlet;

import dev.idem.Idem;
import dev.idem.IdemException;
import dev.idem.Operation;
import dev.idem.Outcome;
import dev.idem.Policy;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Idem with its defaults. The payload is the identity; {@link NothingHappened} is declared as definite. For the
 * take-over, lease and time limit are the same, a duplicate does not wait, and the operation is declared safe to run
 * again: without that, Idem would refuse to take over.
 */
final class IdemContender implements Contender {
    private final String store;
    private final Idem idem;

    IdemContender(String store, String url) {
        this.store = store;
        this.idem = Idem.builder().ledger(url).quiet().open();
    }

    @Override
    public String name() {
        return "Idem";
    }

    @Override
    public String store() {
        return store;
    }

    @Override
    public String configuration() {
        return "defaults; .identity(payload).definiteOn(NothingHappened.class); take-over: .lease(l).timeLimit(l).rerun()";
    }

    @Override
    public Set<Offer> offers() {
        EnumSet<Offer> offers = EnumSet.of(Offer.REPLAY, Offer.KEY_FROM_PAYLOAD, Offer.TAKE_OVER);
        if (!store.equals("memory")) {
            offers.add(Offer.DURABLE);
        }
        return offers;
    }

    @Override
    public Answer call(String operation, String key, Map<String, Object> payload, Work work) {
        return answer(operation(operation, payload).key(key), work);
    }

    @Override
    public Answer callByPayload(String operation, Map<String, Object> payload, Work work) {
        return answer(operation(operation, payload), work);
    }

    @Override
    public Answer callFor(Duration lease, String operation, String key, Map<String, Object> payload, Work work) {
        return answer(
                operation(operation, payload)
                        .key(key)
                        .policy(Policy.unset()
                                .lease(lease)
                                .timeLimit(lease)
                                .waitFor(Duration.ZERO)
                                .rerunOnDoubt()),
                work);
    }

    private Operation<@Nullable Object> operation(String name, Map<String, Object> payload) {
        return idem.operation(name).identity(payload).policy(Policy.unset().definiteOn(NothingHappened.class));
    }

    @SuppressWarnings("NullAway") // It reads no type arguments: an action may return null here.
    private static Answer answer(Operation<@Nullable Object> operation, Work work) {
        try {
            Outcome<@Nullable Object> outcome = operation.attempt(call -> work.run());
            Throwable failure = outcome.failure();
            return failure != null ? new Answer.Refused(failure) : new Answer.Value((String) outcome.value());
        } catch (IdemException e) {
            return new Answer.Refused(e);
        }
    }

    @Override
    public void close() {
        idem.close();
    }
}
