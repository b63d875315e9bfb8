package dev.idem;

import dev.idem.internal.AttemptIds;
import dev.idem.internal.Background;
import dev.idem.internal.Engine;
import dev.idem.internal.Log;
import dev.idem.internal.NearCache;
import dev.idem.internal.Plan;
import dev.idem.internal.Settings;
import dev.idem.internal.codec.Codecs;
import dev.idem.seal.SealKeys;
import dev.idem.seal.SealedLedger;
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

/** Opens an {@link Idem}. Everything but the ledger has a default. */
public final class IdemBuilder {
    private final Plan defaults = new Plan("");
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
    private @Nullable Boolean keepDetails;
    private boolean quiet;

    IdemBuilder() {}

    /** The ledger, opened by its URL and closed with Idem. */
    public IdemBuilder ledger(String url) {
        ledgerUrl = url;
        ledger = null;
        return this;
    }

    /** A ledger that the caller has opened and will close. */
    public IdemBuilder ledger(Ledger opened) {
        ledger = opened;
        ledgerUrl = null;
        return this;
    }

    /** Clocks and processes for a ledger that is opened by its URL; this host's unless told. */
    public IdemBuilder context(LedgerContext given) {
        context = given;
        return this;
    }

    /** Who claims; this process unless told. */
    public IdemBuilder owner(Owner name) {
        owner = name;
        return this;
    }

    /** How calls are treated that say nothing about it themselves. */
    public IdemBuilder policy(Policy policy) {
        defaults.policy = policy.over(defaults.policy);
        return this;
    }

    /** A codec that is asked before the built-in ones. */
    public IdemBuilder codec(Codec codec) {
        codecs.add(codec);
        return this;
    }

    /** Text and JSON results of at least this many bytes are stored compressed; 16 KiB. */
    public IdemBuilder gzipFrom(int bytes) {
        gzipFrom = bytes;
        return this;
    }

    /** Results of more bytes, or of more than the ledger takes, are not stored, and duplicates are told so; 16 MiB. */
    public IdemBuilder largestResult(int bytes) {
        largestResult = bytes;
        return this;
    }

    /**
     * Seals stored results and errors with these keys, so that only their holders can read them; off unless told. What
     * can't be opened is a {@link dev.idem.LedgerUnreadableException}, and nothing runs.
     */
    public IdemBuilder sealing(SealKeys keys) {
        sealing = keys;
        return this;
    }

    /**
     * Whether an entry keeps the fields of its operation's identity as labels, cut to 64 characters each, and the log
     * shows what an action threw: so that a person can tell what an entry is about. Fields whose
     * names sound like secrets are left out. On, unless results are sealed.
     */
    public IdemBuilder keepDetails(boolean keep) {
        keepDetails = keep;
        return this;
    }

    /** Somebody who watches. */
    public IdemBuilder listener(Listener listener) {
        listeners.add(listener);
        return this;
    }

    /** Answers duplicates from memory for at most this long, without asking the ledger. Off unless told. */
    public IdemBuilder nearCache(int entries, Duration maximumAge) {
        nearCache = new NearCache.Limits(entries, maximumAge);
        return this;
    }

    /** Runs the asynchronous form; virtual threads where there are any, else daemon threads. */
    public IdemBuilder executor(Executor executor) {
        async = executor;
        return this;
    }

    /** How long a settle is tried again while the ledger can't be reached; 10 s. Then the entry is in doubt. */
    public IdemBuilder settleFor(Duration duration) {
        settleFor = duration;
        return this;
    }

    /** How often expired entries are purged in the background; 10 min, zero for never. */
    public IdemBuilder purgeEvery(Duration interval) {
        purgeEvery = interval;
        return this;
    }

    /** How long {@link Idem#close()} waits for running calls; 10 s. */
    public IdemBuilder closeWait(Duration duration) {
        closeWait = duration;
        return this;
    }

    /** The wall clock of this process, in milliseconds: it goes on while the machine sleeps. */
    public IdemBuilder wall(LongSupplier clock) {
        wall = clock;
        return this;
    }

    /**
     * The monotonic clock of this process, in nanoseconds. It goes into attempt ids, where it tells processes apart that
     * were cloned from one image: a clock that stands still does not.
     */
    public IdemBuilder nanos(LongSupplier clock) {
        nanos = clock;
        return this;
    }

    /** Does not log the line that says how it was opened. */
    public IdemBuilder quiet() {
        quiet = true;
        return this;
    }

    /**
     * Opens it.
     *
     * @throws IllegalStateException when no ledger was given
     * @throws dev.idem.LedgerException when the ledger can't be opened
     */
    public Idem open() {
        Ledger behind = ledger != null ? ledger : openByUrl();
        Ledger opened = sealing == null ? behind : new SealedLedger(behind, sealing);
        Settings settings = new Settings(
                owner != null ? owner : host.self(),
                new Codecs(codecs, gzipFrom, Math.min(largestResult, opened.largestResult())),
                List.copyOf(listeners),
                nanos,
                wall,
                new AttemptIds(),
                async != null ? async : Background.executor(),
                nearCache,
                settleFor,
                purgeEvery,
                keepDetails != null ? keepDetails : !(opened instanceof SealedLedger));
        if (!quiet) {
            Log.info(() -> describe(opened));
        }
        return new Idem(new Engine(opened, settings), opened, defaults.copy(), ledger == null, closeWait);
    }

    private String describe(Ledger opened) {
        return "Idem on " + opened.describe() + "; lease " + defaults.policy.lease() + ", time limit "
                + defaults.policy.timeLimit() + ", wait " + defaults.policy.waitFor() + ", retention "
                + defaults.policy.retention().keep() + ", near cache "
                + (nearCache.entries() == 0 ? "off" : nearCache.entries() + " entries");
    }

    private Ledger openByUrl() {
        if (ledgerUrl == null) {
            throw new IllegalStateException("no ledger was given; add .ledger(\"sqlite:idem.db\")");
        }
        return Ledgers.open(ledgerUrl, context);
    }
}
