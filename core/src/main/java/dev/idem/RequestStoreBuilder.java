package dev.idem;

import dev.idem.internal.AttemptIds;
import dev.idem.internal.Engine;
import dev.idem.internal.NearCache;
import dev.idem.internal.Plan;
import dev.idem.internal.Settings;
import dev.idem.internal.codec.Codecs;
import dev.idem.spi.Host;
import dev.idem.spi.Ledger;
import dev.idem.spi.Ledgers;
import dev.idem.spi.Owner;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Opens a {@link RequestStore}. Everything but the ledger has a default. */
public final class RequestStoreBuilder {
    private final Plan plan = new Plan("");
    private @Nullable Ledger ledger;
    private @Nullable String ledgerUrl;
    private @Nullable Owner owner;

    RequestStoreBuilder() {
        // A request is a whole run of an agent: long, and renewed until it is settled.
        plan.policy = plan.policy.timeLimit(Duration.ofDays(1));
    }

    /** The ledger, opened by its URL and closed with the store. */
    public RequestStoreBuilder ledger(String url) {
        ledgerUrl = url;
        ledger = null;
        return this;
    }

    /** A ledger that the caller has opened and will close. */
    public RequestStoreBuilder ledger(Ledger opened) {
        ledger = opened;
        ledgerUrl = null;
        return this;
    }

    /** Where request ids are unique; {@code default} unless told. */
    public RequestStoreBuilder scope(String scope) {
        plan.scope = scope;
        return this;
    }

    /** After how many days a processed id may be used again; 7 unless told. */
    public RequestStoreBuilder ttlDays(int days) {
        plan.policy = plan.policy.retention(Duration.ofDays(days));
        return this;
    }

    /** How long a request is trusted without a heartbeat; 30 s unless told. */
    public RequestStoreBuilder lease(Duration lease) {
        plan.policy = plan.policy.lease(lease);
        return this;
    }

    /** For how long a request is renewed at most; a day unless told. */
    public RequestStoreBuilder timeLimit(Duration limit) {
        plan.policy = plan.policy.timeLimit(limit);
        return this;
    }

    /** A request whose process died may be taken again: for agents that are safe to run twice. */
    public RequestStoreBuilder retryAfterCrash() {
        plan.policy = plan.policy.rerunOnDoubt();
        return this;
    }

    /** A failed request is refused until it was cleared, instead of running again under the same id. */
    public RequestStoreBuilder failedUntilCleared() {
        plan.policy = plan.policy.keepFailures();
        return this;
    }

    /** Who takes requests; this process unless told. */
    public RequestStoreBuilder owner(Owner name) {
        owner = name;
        return this;
    }

    /**
     * Opens it.
     *
     * @throws IllegalStateException when no ledger was given
     * @throws dev.idem.LedgerException when the ledger can't be opened
     */
    public RequestStore open() {
        if (ledger == null && ledgerUrl == null) {
            throw new IllegalStateException("no ledger was given; add .ledger(\"sqlite:requests.db\")");
        }
        Ledger opened = ledger != null ? ledger : Ledgers.open(String.valueOf(ledgerUrl));
        Settings settings = new Settings(
                owner != null ? owner : Host.system().self(),
                new Codecs(List.of(), 16 * 1024, 16 * 1024 * 1024),
                List.of(),
                System::nanoTime,
                System::currentTimeMillis,
                new AttemptIds(),
                Runnable::run,
                NearCache.Limits.OFF,
                Duration.ofSeconds(10),
                Duration.ofMinutes(10),
                true);
        return new RequestStore(opened, new Engine(opened, settings), plan.copy(), ledger == null);
    }
}
