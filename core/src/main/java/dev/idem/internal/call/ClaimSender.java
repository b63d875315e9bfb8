package dev.idem.internal.call;

import dev.idem.Entry;
import dev.idem.Repeat;
import dev.idem.internal.runtime.Clock;
import dev.idem.spi.AttemptId;
import dev.idem.spi.Claim;
import dev.idem.spi.ClaimRequest;
import dev.idem.spi.Owner;
import dev.idem.spi.TakeOver;
import java.util.Map;
import java.util.function.LongFunction;

/** Sends the claims of one owner, each under an attempt id of its own. */
final class ClaimSender {
    private final Resender resender;
    private final Heartbeats heartbeats;
    private final NearCache nearCache;
    private final Clock clock;
    private final Owner owner;
    private final LongFunction<AttemptId> attemptIds;

    ClaimSender(
            Resender resender,
            Heartbeats heartbeats,
            NearCache nearCache,
            Clock clock,
            Owner owner,
            LongFunction<AttemptId> attemptIds) {
        this.resender = resender;
        this.heartbeats = heartbeats;
        this.nearCache = nearCache;
        this.clock = clock;
        this.owner = owner;
        this.attemptIds = attemptIds;
    }

    /** The start of a claim that is sent now. */
    ClaimStart start() {
        return startAt(clock.nanos());
    }

    ClaimStart startAt(long nanos) {
        return new ClaimStart(nanos, clock.millis(), nearCache.drops());
    }

    /** Takes a doubt for its next round, so that the claim of one call may take it over. */
    boolean resume(Entry doubted) {
        return resender.resume(doubted);
    }

    /** Sends a claim. It starts the heartbeats first, so that the lease can be renewed. */
    Claim send(ClaimStart sent, Admitted call, Map<String, String> labels, TakeOver takeOver, Repeat repeat) {
        heartbeats.ready();
        return resender.claim(new ClaimRequest(
                attemptIds.apply(sent.nanos()),
                call.address(),
                call.fingerprints(),
                call.parent(),
                Recovery.labels(labels, call.policy(), call.plan().probe() != null),
                owner,
                call.policy().lease(),
                call.policy().timeLimit(),
                call.policy().isStaged(),
                takeOver,
                Recovery.grace(call.policy()),
                repeat));
    }
}
