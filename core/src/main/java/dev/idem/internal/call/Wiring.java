package dev.idem.internal.call;

import dev.idem.spi.AmbientTransactions;
import dev.idem.spi.Ledger;
import org.jspecify.annotations.Nullable;

/**
 * Builds the rooms from {@link Sharing} down, over one ledger.
 *
 * @param joined the transaction that the ledger writes in, if there is one
 */
record Wiring(
        Ledger ledger,
        Settings settings,
        Gate gate,
        Events events,
        Heartbeats heartbeats,
        Resender resender,
        NearCache nearCache,
        @Nullable JoinedTransaction joined) {
    Sharing sharing() {
        return new Sharing(replaying(), claiming());
    }

    private Replaying replaying() {
        return new Replaying(settings.codecs(), events, nearCache);
    }

    ClaimSender claimSender() {
        return new ClaimSender(
                resender, heartbeats, nearCache, settings.clock(), settings.owner(), settings.attemptIds());
    }

    Claiming claiming() {
        Replaying replaying = replaying();
        // A joined entry is part of the transaction around it.
        AmbientTransactions apart = joined == null ? settings.transactions() : AmbientTransactions.NONE;
        Doubts doubts = new Doubts(ledger, settings.clock(), settings.keepsDetails());
        Settling settling = new Settling(resender, settings.codecs(), events, doubts, replaying, joined);
        Acting acting = new Acting(ledger, heartbeats, settings.clock(), gate, events, settling, apart, joined);
        Probing probing = new Probing(resender, heartbeats, gate, settings.codecs(), events, doubts, replaying, apart);
        Waiting waiting = new Waiting(ledger, settings.clock());
        return new Claiming(claimSender(), gate, settings.clock(), waiting, probing, events, doubts, replaying, acting);
    }
}
