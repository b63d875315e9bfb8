package dev.idem;

import dev.idem.internal.call.Engine;
import dev.idem.internal.call.NearCache;
import dev.idem.internal.call.Plan;
import dev.idem.internal.call.Settings;
import dev.idem.internal.codec.Codecs;
import dev.idem.internal.runtime.AttemptIds;
import dev.idem.internal.runtime.Background;
import dev.idem.internal.runtime.Clock;
import dev.idem.internal.runtime.Log;
import dev.idem.seal.SealKeys;
import dev.idem.seal.SealedLedger;
import dev.idem.spi.AmbientTransactions;
import dev.idem.spi.Host;
import dev.idem.spi.Ledger;
import dev.idem.spi.LedgerContext;
import dev.idem.spi.Ledgers;
import dev.idem.spi.Owner;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A builder for {@link Idem}. Only the ledger is required; each method states its default.
 *
 * <pre>{@code
 * Idem idem = Idem.builder()
 *         .ledger("sqlite:idem.db")
 *         .policy(Policy.unset().retention(Duration.ofDays(30)))
 *         .listener(metrics)
 *         .open();
 * }</pre>
 *
 * <p>Not thread-safe: build in one thread. The instance that {@link #open()} returns is thread-safe.
 */
public final class IdemBuilder {
    private Plan defaults = Plan.UNSET;
    private final List<Codec> codecs = new ArrayList<>();
    private final List<Listener> listeners = new ArrayList<>();
    private final Host host = Host.system();
    private @Nullable Ledger ledger;
    private @Nullable String ledgerUrl;
    private LedgerContext context = LedgerContext.ofHost(host);
    private @Nullable SealKeys sealing;
    private @Nullable Owner owner;
    private LongSupplier nanos = System::nanoTime;
    private LongSupplier wall = System::currentTimeMillis;
    private @Nullable Executor async;
    private NearCache.Limits nearCache = NearCache.Limits.OFF;
    private int gzipFrom = 16 * 1024;
    private int largestResult = 16 * 1024 * 1024;
    private Duration settleFor = Duration.ofSeconds(10);
    private Duration purgeEvery = Duration.ofMinutes(10);
    private Duration closeWait = Duration.ofSeconds(10);
    private AmbientTransactions transactions = AmbientTransactions.NONE;
    private @Nullable Boolean keepDetails;
    private boolean quiet;

    IdemBuilder() {}

    /** Sets the URL of the ledger. {@link #open()} opens the ledger, and {@link Idem#close()} closes it. */
    public IdemBuilder ledger(String url) {
        ledgerUrl = url;
        ledger = null;
        return this;
    }

    /** Sets a ledger that the caller has opened. The caller also closes it. */
    public IdemBuilder ledger(Ledger opened) {
        ledger = opened;
        ledgerUrl = null;
        return this;
    }

    /** Sets the clocks and processes for a ledger that is opened by its URL. Default: those of this host. */
    public IdemBuilder context(LedgerContext given) {
        context = given;
        return this;
    }

    /** Sets the owner of all claims. Default: this process. */
    public IdemBuilder owner(Owner name) {
        owner = name;
        return this;
    }

    /** Sets the policy for all calls. A call's own policy is put {@linkplain Policy#over over} it. */
    public IdemBuilder policy(Policy policy) {
        defaults = defaults.withPolicy(policy.over(defaults.policy()));
        return this;
    }

    /** Adds a codec. It is consulted before the built-in codecs. */
    public IdemBuilder codec(Codec codec) {
        codecs.add(codec);
        return this;
    }

    /** Sets the size from which text and JSON results are compressed. Default: 16 KiB. */
    public IdemBuilder gzipFrom(int bytes) {
        gzipFrom = bytes;
        return this;
    }

    /**
     * Sets the largest result that is stored. Default: 16 MiB, or less where the ledger takes less. A larger result is
     * returned to its own caller, and duplicates get a {@link ResultUnavailableException}.
     */
    public IdemBuilder largestResult(int bytes) {
        largestResult = bytes;
        return this;
    }

    /**
     * Encrypts stored results and errors with these keys. Default: off. When an entry can't be decrypted, a call
     * throws a {@link dev.idem.LedgerUnreadableException} and does not run.
     */
    public IdemBuilder sealing(SealKeys keys) {
        sealing = keys;
        return this;
    }

    /**
     * Sets whether entries and logs hold details that help a person to recognise an entry: the identity's fields as
     * labels, cut to 64 characters each, and the exceptions of actions in the log. Fields whose names look like secrets
     * are left out. Default: on, and off where results are sealed.
     */
    public IdemBuilder keepDetails(boolean keep) {
        keepDetails = keep;
        return this;
    }

    /** Adds a listener for events of all calls. */
    public IdemBuilder listener(Listener listener) {
        listeners.add(listener);
        return this;
    }

    /** Keeps results in memory for at most this long, and answers duplicates without a round trip. Default: off. */
    public IdemBuilder nearCache(int entries, Duration maximumAge) {
        nearCache = new NearCache.Limits(entries, maximumAge);
        return this;
    }

    /** Sets the executor of {@link Operation#runAsync}. Default: virtual threads, or daemon threads on an older JDK. */
    public IdemBuilder executor(Executor executor) {
        async = executor;
        return this;
    }

    /**
     * Sets how long the write of an outcome is retried while the ledger can't be reached. Default: 10 s. After that the
     * entry is in doubt.
     */
    public IdemBuilder settleFor(Duration duration) {
        settleFor = duration;
        return this;
    }

    /**
     * Sets how often expired entries are purged in the background. Default: every 10 min; zero means never. Counts of
     * replays are written there as well, at least every 5 s; with zero only in portions and at the end.
     */
    public IdemBuilder purgeEvery(Duration interval) {
        purgeEvery = interval;
        return this;
    }

    /** Sets how long {@link Idem#close()} waits for running calls. Default: 10 s. */
    public IdemBuilder closeWait(Duration duration) {
        closeWait = duration;
        return this;
    }

    /**
     * Sets the transactions of a framework. A call inside one of them declares its {@link TransactionMode}, or is refused.
     * Default: none. The Spring Boot starter sets those of Spring.
     */
    public IdemBuilder transactions(AmbientTransactions ofFramework) {
        transactions = ofFramework;
        return this;
    }

    /** Sets the wall clock of this process, in milliseconds. It must advance while the machine sleeps. */
    public IdemBuilder wall(LongSupplier clock) {
        wall = clock;
        return this;
    }

    /**
     * Sets the monotonic clock of this process, in nanoseconds. It is also part of attempt ids, so that processes
     * cloned from one image get different ids. A clock that stands still can't give that.
     */
    public IdemBuilder nanos(LongSupplier clock) {
        nanos = clock;
        return this;
    }

    /** Turns off the INFO line with the effective configuration. */
    public IdemBuilder quiet() {
        quiet = true;
        return this;
    }

    /**
     * Opens the instance.
     *
     * @throws IllegalStateException when no ledger was given
     * @throws IllegalArgumentException when the ledger's URL is malformed or its ledger is not on the class path
     * @throws dev.idem.LedgerException when the ledger can't be opened
     */
    public Idem open() {
        Ledger behind = ledger != null ? ledger : openByUrl();
        Ledger opened = sealing == null ? behind : new SealedLedger(behind, sealing);
        Settings settings = new Settings(
                owner != null ? owner : host.self(),
                new Codecs(codecs, gzipFrom, Math.min(largestResult, opened.largestResult())),
                List.copyOf(listeners),
                new Clock(nanos, wall),
                new AttemptIds(),
                async != null ? async : Background.executor(),
                nearCache,
                settleFor,
                purgeEvery,
                transactions,
                keepDetails != null ? keepDetails : !SealedLedger.isSealing(opened));
        if (!quiet) {
            Log.info(() -> describe(opened));
        }
        return new Idem(new Engine(opened, settings), opened, defaults, ledger == null, closeWait);
    }

    private String describe(Ledger opened) {
        return "Idem on " + opened.describe() + "; lease " + defaults.policy().lease() + ", time limit "
                + defaults.policy().timeLimit() + ", wait " + defaults.policy().waitFor() + ", retention "
                + defaults.policy().retention().keep() + ", near cache "
                + (nearCache.entries() == 0 ? "off" : nearCache.entries() + " entries");
    }

    private Ledger openByUrl() {
        if (ledgerUrl == null) {
            throw new IllegalStateException("no ledger was given; add .ledger(\"sqlite:idem.db\")");
        }
        return Ledgers.open(ledgerUrl, context);
    }
}
