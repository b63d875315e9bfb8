package dev.idem.internal.call;

import dev.idem.Entry;
import dev.idem.ExpiredException;
import dev.idem.Outcome;
import dev.idem.Provenance;
import dev.idem.ResultUnavailableException;
import dev.idem.State;
import dev.idem.Warning;
import dev.idem.internal.codec.Codecs;
import dev.idem.seal.SealedLedger;
import dev.idem.spi.Fingerprints;
import dev.idem.spi.Result;
import dev.idem.spi.Settlement;
import java.lang.reflect.Modifier;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Answers duplicates with the recorded end of a call, and remembers complete entries for them. */
final class Replaying {
    private final Codecs codecs;
    private final Events events;
    private final NearCache nearCache;

    Replaying(Codecs codecs, Events events, NearCache nearCache) {
        this.codecs = codecs;
        this.events = events;
        this.nearCache = nearCache;
    }

    /** Whether an attempt was completed, even if only its tombstone is left. */
    static boolean isCompleted(Entry entry) {
        return entry.settlement() instanceof Settlement.Completed;
    }

    /**
     * Caches an entry that the ledger has acknowledged as complete, to answer duplicates in this process.
     *
     * @param dropsBefore how many entries had been dropped before the claim: this one may have been dropped since
     */
    void remember(Entry entry, long dropsBefore) {
        nearCache.keep(entry, dropsBefore);
    }

    /** Answers a call from an entry that this process remembers; null where it remembers none. */
    <T extends @Nullable Object> @Nullable Outcome<T> replayNear(Admitted call) {
        Entry near = nearCache.find(call.address(), call.fingerprints());
        return near == null ? null : replay(call, near, "replayed from the near cache", true);
    }

    /** The outcome of a duplicate of a complete entry. */
    <T extends @Nullable Object> Outcome<T> replay(Admitted call, Entry entry, String how, boolean shared) {
        Subject subject = call.subject();
        List<Warning> warnings = warnings(subject.warnings(), subject.fingerprints(), entry);
        warnings.forEach(warning -> events.warned(call.address(), warning));
        if (entry.state() == State.EXPIRED) {
            return events.refused(new Outcome.Expired<>(new ExpiredException(entry)));
        }
        if (entry.result() instanceof Result.Unavailable unavailable) {
            SealedLedger.requireUnsealed(entry);
            return unavailable(entry, unavailable.why(), null);
        }
        Result.Stored stored = (Result.Stored) Objects.requireNonNull(entry.result());
        T value;
        try {
            value = decoded(call.plan(), stored);
        } catch (Exception | LinkageError | StackOverflowError e) {
            SealedLedger.requireUnsealed(entry);
            return unavailable(entry, String.valueOf(e.getMessage()), e);
        }
        events.replayed(call.address(), shared);
        return new Outcome.Replayed<>(value, Provenance.ofReplay(entry, how, warnings));
    }

    /** The warnings about the difference of a duplicate to the entry that answers it, and about the call itself. */
    static List<Warning> warnings(List<Warning> own, Fingerprints asked, Entry entry) {
        boolean reworded = asked.rewordedFrom(entry.fingerprints());
        boolean incomparable = asked.incomparableTo(entry.fingerprints());
        if (!reworded && !incomparable) {
            return own;
        }
        List<Warning> warnings = new ArrayList<>(own);
        if (reworded) {
            warnings.add(new Warning(
                    Warning.Code.REWORDED,
                    "the content differs from that of the first call; the first call's result is given"));
        }
        if (incomparable) {
            warnings.add(new Warning(
                    Warning.Code.NOT_COMPARED,
                    "the entry or the call has no fingerprint, so nothing shows that they are the same work"));
        }
        return warnings;
    }

    private <T extends @Nullable Object> Outcome<T> unavailable(Entry entry, String why, @Nullable Throwable cause) {
        return events.refused(new Outcome.Unavailable<>(new ResultUnavailableException(entry, why, cause)));
    }

    // The plan's type is T by construction, and null only where T allows it.
    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals", "NullAway"})
    private <T extends @Nullable Object> T decoded(Plan plan, Result.Stored stored) throws Exception {
        return (T) codecs.decode(stored.payload(), plan.type());
    }

    /** The value for the first caller: its own object or, if the type names no class, the value duplicates will get. */
    <T extends @Nullable Object> T own(Plan plan, T value, Result result) {
        if (isConcrete(plan.type()) || !(result instanceof Result.Stored stored)) {
            return value;
        }
        try {
            return decoded(plan, stored);
        } catch (Throwable e) {
            return value;
        }
    }

    /** A list, a number or an object may come back as another class than it was. */
    private static boolean isConcrete(Type type) {
        return type instanceof Class<?> exact
                && exact != Object.class
                && (exact.isPrimitive() || exact.isArray() || !Modifier.isAbstract(exact.getModifiers()));
    }
}
