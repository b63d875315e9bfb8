package dev.idem;

import dev.idem.internal.call.Engine;
import dev.idem.internal.call.NearCache;
import dev.idem.internal.call.Plan;
import dev.idem.internal.call.Settings;
import dev.idem.internal.codec.Codecs;
import dev.idem.internal.runtime.AttemptIds;
import dev.idem.internal.runtime.Clock;
import dev.idem.seal.SealKeys;
import dev.idem.seal.SealedLedger;
import dev.idem.spi.AmbientTransactions;
import dev.idem.spi.Host;
import dev.idem.spi.Ledger;
import dev.idem.spi.Ledgers;
import dev.idem.spi.Owner;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A builder for {@link RequestStore}. Only the ledger is required; each method states its default. Not thread-safe; the
 * store that {@link #open()} returns is.
 */
public final class RequestStoreBuilder {
    private static final int LARGEST_RESULT = 16 * 1024 * 1024;

    private Plan plan = Plan.UNSET;
    private @Nullable Ledger ledger;
    private @Nullable String ledgerUrl;
    private @Nullable Owner owner;
    private @Nullable SealKeys sealing;
    private int gzipFrom = 16 * 1024;

    RequestStoreBuilder() {
        // A request is a whole run of an agent: long, and renewed until it is settled.
        plan = plan.withPolicy(plan.policy().timeLimit(Duration.ofDays(1)));
    }

    /** Sets the URL of the ledger. {@link #open()} opens the ledger, and {@link RequestStore#close()} closes it. */
    public RequestStoreBuilder ledger(String url) {
        ledgerUrl = url;
        ledger = null;
        return this;
    }

    /** Sets a ledger that the caller has opened. The caller also closes it. */
    public RequestStoreBuilder ledger(Ledger opened) {
        ledger = opened;
        ledgerUrl = null;
        return this;
    }

    /**
     * Sets the scope in which request ids are unique. Default: {@code default}.
     *
     * @throws IllegalArgumentException if it is blank
     */
    public RequestStoreBuilder scope(String scope) {
        plan = plan.withScope(scope);
        return this;
    }

    /** Sets after how many days the id of a processed request may be used again. Default: 7. */
    public RequestStoreBuilder ttlDays(int days) {
        return ttl(Duration.ofDays(days));
    }

    /** Sets after how long the id of a processed request may be used again. Default: 7 days. */
    public RequestStoreBuilder ttl(Duration time) {
        plan = plan.withPolicy(plan.policy().retention(time));
        return this;
    }

    /** Sets the size from which text and JSON results are compressed. Default: 16 KiB. */
    public RequestStoreBuilder gzipFrom(int bytes) {
        gzipFrom = bytes;
        return this;
    }

    /** Encrypts the stored results and errors with these keys, on any ledger. Default: off. */
    public RequestStoreBuilder sealedWith(SealKeys keys) {
        sealing = keys;
        return this;
    }

    /** Sets the lease: how long a request is trusted without a heartbeat. Default: 30 s. */
    public RequestStoreBuilder lease(Duration lease) {
        plan = plan.withPolicy(plan.policy().lease(lease));
        return this;
    }

    /** Sets how long a request is renewed at most. Default: one day. */
    public RequestStoreBuilder timeLimit(Duration limit) {
        plan = plan.withPolicy(plan.policy().timeLimit(limit));
        return this;
    }

    /** Lets a request whose process died be taken again. For handlers that are safe to run twice. Default: in doubt. */
    public RequestStoreBuilder retryAfterCrash() {
        plan = plan.withPolicy(plan.policy().rerunOnDoubt());
        return this;
    }

    /**
     * Adds a classifier that is consulted before the existing ones: it decides which exceptions prove to
     * {@link RequestStore#markFailed(String, Throwable)} that nothing happened. Default: {@link NotExecutedException}
     * alone does.
     */
    public RequestStoreBuilder classify(Classifier classifier) {
        plan = plan.withPolicy(plan.policy().classify(classifier));
        return this;
    }

    /**
     * Refuses a failed request, of which nothing happened, until {@link RequestStore#clear}. Default: it may run again.
     */
    public RequestStoreBuilder failedUntilCleared() {
        plan = plan.withPolicy(plan.policy().keepFailures());
        return this;
    }

    /** Sets the owner of the requests. Default: this process. */
    public RequestStoreBuilder owner(Owner name) {
        owner = name;
        return this;
    }

    /**
     * Opens the store.
     *
     * @throws IllegalStateException when no ledger was given
     * @throws dev.idem.LedgerException when the ledger can't be opened
     */
    public RequestStore open() {
        if (ledger == null && ledgerUrl == null) {
            throw new IllegalStateException("no ledger was given; add .ledger(\"sqlite:requests.db\")");
        }
        Ledger behind = ledger != null ? ledger : Ledgers.open(String.valueOf(ledgerUrl));
        Ledger opened = sealing == null ? behind : new SealedLedger(behind, sealing);
        Settings settings = new Settings(
                owner != null ? owner : Host.system().self(),
                new Codecs(List.of(), gzipFrom, Math.min(LARGEST_RESULT, opened.largestResult())),
                List.of(),
                Clock.SYSTEM,
                new AttemptIds(),
                Runnable::run,
                NearCache.Limits.OFF,
                Duration.ofSeconds(10),
                Duration.ofMinutes(10),
                AmbientTransactions.NONE,
                !SealedLedger.isSealing(opened));
        return new RequestStore(opened, new Engine(opened, settings), plan, ledger == null);
    }
}
