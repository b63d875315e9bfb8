package dev.idem;

import dev.idem.internal.Engine;
import dev.idem.spi.Effect;
import dev.idem.spi.Result;
import dev.idem.spi.Retention;
import dev.idem.spi.Settlement;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Settles an entry by a person's word, once somebody has found out whether the effect took place.
 *
 * <pre>{@code
 * Entry entry = idem.find(address).orElseThrow();
 * idem.resolve(entry).by("ann").because("seen in the bank statement").asComplete(new Receipt("ch_1", 4200));
 * }</pre>
 *
 * <p>Who and why are kept with the entry. The last call writes and returns false when nothing was written: the entry is
 * complete, a ticket lives, or the entry has changed since it was looked at. Then look again. Immutable and safe for use
 * by several threads.
 */
public final class Resolution {
    private final Engine engine;
    private final Entry seen;
    private final Retention retention;
    private final @Nullable String who;
    private final @Nullable String why;

    /** Made by {@link Idem#resolve} and {@link dev.idem.RequestStore#resolve}. */
    public Resolution(Engine engine, Entry seen, Duration keep) {
        this(engine, seen, Retention.of(keep).withTombstone(keep), null, null);
    }

    private Resolution(Engine engine, Entry seen, Retention retention, @Nullable String who, @Nullable String why) {
        this.engine = engine;
        this.seen = seen;
        this.retention = retention;
        this.who = who;
        this.why = why;
    }

    /** The person who found out. */
    public Resolution by(String person) {
        return new Resolution(engine, seen, retention, person, why);
    }

    /** How that person found out. */
    public Resolution because(String reason) {
        return new Resolution(engine, seen, retention, who, reason);
    }

    /**
     * How long the result answers duplicates; the default of this {@link Idem}, 7 days, unless told: give that of the
     * operation where it has its own. After that the key answers "expired" for as long again, and does not run.
     */
    public Resolution retention(Duration keep) {
        return new Resolution(engine, seen, Retention.of(keep).withTombstone(keep), who, why);
    }

    /**
     * The effect took place. Every later call gets this value.
     *
     * @param value what the action would have returned; null where it returns nothing
     * @throws IllegalArgumentException when the value has no stored form; nothing was changed
     */
    public boolean asComplete(@Nullable Object value) {
        Result result = engine.settings().codecs().encode(value, Object.class);
        if (result instanceof Result.Unavailable unavailable) {
            throw new IllegalArgumentException("the value can't be the result of " + seen.address() + ": "
                    + unavailable.why() + ". Nothing was changed");
        }
        return complete(result);
    }

    /**
     * The effect took place, but nobody knows what the action would have returned. Later calls do not run and get a
     * {@link dev.idem.ResultUnavailableException}.
     */
    public boolean asCompleteWithoutResult() {
        return complete(new Result.Unavailable(Settlement.told(who, why) + " without a result"));
    }

    /** The effect did not take place and no longer can. The key may run again. */
    public boolean asFailed() {
        return write(new Settlement.NotExecuted(Settlement.told(who, why), retention));
    }

    private boolean complete(Result result) {
        return write(new Settlement.Completed(result, Effect.CREATED, retention, Settlement.told(who, why)));
    }

    private boolean write(Settlement how) {
        return engine.resolve(seen, how);
    }
}
