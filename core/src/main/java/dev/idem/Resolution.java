package dev.idem;

import dev.idem.internal.call.Engine;
import dev.idem.spi.Effect;
import dev.idem.spi.ResolvedBy;
import dev.idem.spi.Result;
import dev.idem.spi.Retention;
import dev.idem.spi.Settlement;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A person's decision about an entry in doubt, made after finding out whether the effect took place.
 *
 * <pre>{@code
 * Entry entry = idem.find(address).orElseThrow();
 * idem.resolve(entry).by("ann").because("seen in the bank statement").asComplete(new Receipt("ch_1", 4200));
 * }</pre>
 *
 * <p>The entry keeps the person and the reason. The last call ({@code as…}) writes. It returns false when it wrote
 * nothing: the entry is complete, an attempt is running, or the entry has changed since the person looked at it. Then
 * find the entry again. Every {@code as…} method throws a {@link LedgerException} when the ledger can't answer.
 * Immutable and thread-safe.
 */
public final class Resolution {
    private final Engine engine;
    private final Entry seen;
    private final Retention retention;
    private final ResolvedBy decision;

    /** Made by {@link Idem#resolve} and {@link dev.idem.RequestStore#resolve}. */
    public Resolution(Engine engine, Entry seen, Duration keep) {
        this(engine, seen, Retention.of(keep).withTombstone(keep), ResolvedBy.UNKNOWN);
    }

    private Resolution(Engine engine, Entry seen, Retention retention, ResolvedBy decision) {
        this.engine = engine;
        this.seen = seen;
        this.retention = retention;
        this.decision = decision;
    }

    /**
     * Sets the person who found out. Default: none.
     *
     * @throws IllegalArgumentException if it has more than 200 characters, or control characters
     */
    public Resolution by(String person) {
        return new Resolution(engine, seen, retention, new ResolvedBy(person, decision.why(), null, decision.caller()));
    }

    /**
     * Sets the reason: how the person found out. Default: none.
     *
     * @throws IllegalArgumentException if it has more than 2,000 characters, or control characters
     */
    public Resolution because(String reason) {
        return new Resolution(engine, seen, retention, new ResolvedBy(decision.who(), reason, null, decision.caller()));
    }

    /**
     * Sets the signed-in user or the token through which the decision came, where the program can't know that it is the
     * person. It is shown beside the person. Default: none, the program is trusted to name the person.
     *
     * @throws IllegalArgumentException if it has more than 200 characters, or control characters
     */
    public Resolution through(String caller) {
        ResolvedBy known = new ResolvedBy(decision.who(), decision.why(), null, caller);
        return new Resolution(engine, seen, retention, known);
    }

    /**
     * Sets how long the result answers duplicates. Default: the retention that {@link IdemBuilder} was given, else 7
     * days. The entry does not know the retention of its operation: if the operation sets one, set the same here.
     * Afterwards the key answers "expired" for as long again. An entry that is resolved as failed may run at once.
     */
    public Resolution retention(Duration keep) {
        return new Resolution(engine, seen, Retention.of(keep).withTombstone(keep), decision);
    }

    /**
     * Records that the effect took place. Every later call gets this value.
     *
     * @param value the value that the action would have returned; null for an action without a result
     * @return whether it was written
     * @throws IllegalArgumentException when the value can't be stored; nothing was changed
     */
    public boolean asComplete(@Nullable Object value) {
        Result result = engine.codecs().encodeGiven(value, Object.class);
        if (result instanceof Result.Unavailable unavailable) {
            throw new IllegalArgumentException("the value can't be the result of " + seen.address() + ": "
                    + unavailable.why() + ". Nothing was changed");
        }
        return complete(result);
    }

    /**
     * Records that the effect took place and that its result is unknown. Later calls do not run and get a {@link
     * dev.idem.ResultUnavailableException}.
     *
     * @return whether it was written
     */
    public boolean asCompleteWithoutResult() {
        return complete(new Result.Unavailable(Settlement.toldWithoutResult(decision.who(), decision.why())));
    }

    /**
     * Records that the effect did not take place and no longer can. The key may run again.
     *
     * @return whether it was written
     */
    public boolean asFailed() {
        return write(new Settlement.NotExecuted(decision, retention));
    }

    private boolean complete(Result result) {
        return write(new Settlement.Completed(result, Effect.CREATED, retention, decision));
    }

    private boolean write(Settlement how) {
        return engine.resolve(seen, how);
    }
}
