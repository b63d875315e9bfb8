package dev.idem.cli.run;

import dev.idem.Address;
import dev.idem.Entry;
import dev.idem.SideEffect;
import dev.idem.cli.entry.Addresses;
import dev.idem.cli.entry.Queries;
import dev.idem.cli.syntax.Arguments;
import dev.idem.cli.syntax.Durations;
import dev.idem.cli.syntax.Syntaxes;
import dev.idem.cli.syntax.UsageException;
import dev.idem.spi.Retention;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A checked line of {@code idem run}.
 *
 * @param ttl how long the result answers duplicates; null for the default of the side effect
 * @param timeout how long the command may run; null for no limit
 * @param probe the shell line for a doubt; null for none
 * @param probeGrace how long after the seen end of the command its effect may still appear; null if that is unknown
 * @param retries how often it is tried again
 * @param backoff the pause before the first retry
 * @param kept the details that are kept beside the result
 */
public record RunRequest(
        Address address,
        List<String> words,
        SideEffect sideEffect,
        boolean rerunDoubt,
        OnNonzero onNonzero,
        ExitCodes failedExits,
        Sources guard,
        @Nullable Duration ttl,
        Duration lease,
        Duration waitFor,
        @Nullable Duration timeout,
        Map<String, String> labels,
        @Nullable String probe,
        @Nullable Duration probeGrace,
        int retries,
        Duration backoff,
        KeptDetails kept) {
    public static final String OPERATION = "run";

    /** The meaning of an exit from 1 to 127 that is not listed. */
    public enum OnNonzero {
        /** It is unknown whether it happened. */
        DOUBT,
        /** Nothing happened. */
        RERUN,
        /** It is a result like any other. */
        KEEP
    }

    static final String SIDE_EFFECT_LABEL = "side_effect";
    static final String DESTRUCTIVE = "destructive";

    static final Duration NO_LIMIT = Duration.ofDays(36_500);

    /**
     * Checks a line.
     *
     * @throws UsageException when a value makes no sense
     */
    public static RunRequest of(Arguments arguments, String key) {
        SideEffect sideEffect = List.of(SideEffect.WRITE, SideEffect.IDEMPOTENT, SideEffect.DESTRUCTIVE)
                .get(arguments.choice(Syntaxes.SIDE_EFFECT));
        boolean rerunDoubt = arguments.choice(Syntaxes.ON_DOUBT) == 1;
        OnNonzero onNonzero =
                List.of(OnNonzero.DOUBT, OnNonzero.RERUN, OnNonzero.KEEP).get(arguments.choice(Syntaxes.ON_NONZERO));
        if (sideEffect == SideEffect.DESTRUCTIVE && rerunDoubt) {
            throw new UsageException(arguments.source(Syntaxes.ON_DOUBT) + ": a destructive command is never run again "
                    + "by itself; leave out rerun, or declare it --side-effect write");
        }
        if (sideEffect == SideEffect.DESTRUCTIVE && onNonzero == OnNonzero.RERUN) {
            throw new UsageException(arguments.source(Syntaxes.ON_NONZERO) + ": a destructive command is not run again "
                    + "on trust; name the exits that mean that nothing happened with --failed-exits");
        }
        int retries = arguments.number(Syntaxes.RETRY, 0, 1000);
        if (sideEffect == SideEffect.DESTRUCTIVE && retries > 0) {
            throw new UsageException(
                    arguments.source(Syntaxes.RETRY) + ": a destructive command is never tried again by itself");
        }
        String failed = arguments.find(Syntaxes.FAILED_EXITS);
        Duration timeout = Durations.orZero(arguments, Syntaxes.TIMEOUT);
        Duration ttl = Durations.positive(arguments, Syntaxes.TTL);
        return new RunRequest(
                address(arguments, key),
                arguments.command(),
                sideEffect,
                rerunDoubt,
                onNonzero,
                failed == null ? ExitCodes.none() : ExitCodes.parse(failed, arguments.source(Syntaxes.FAILED_EXITS)),
                Sources.ofGuard(arguments.find(Syntaxes.FINGERPRINT), arguments.source(Syntaxes.FINGERPRINT)),
                arguments.flag(Syntaxes.TTL) ? ttl : null,
                Durations.positive(arguments, Syntaxes.LEASE),
                Durations.orZero(arguments, Syntaxes.WAIT),
                timeout.isZero() ? null : timeout,
                Queries.labelsToSet(arguments),
                arguments.find(Syntaxes.PROBE),
                probeGrace(arguments),
                retries,
                Durations.orZero(arguments, Syntaxes.BACKOFF),
                kept(arguments));
    }

    /** The same for another item. */
    public RunRequest with(Address other, List<String> command) {
        return new RunRequest(
                other,
                command,
                sideEffect,
                rerunDoubt,
                onNonzero,
                failedExits,
                guard,
                ttl,
                lease,
                waitFor,
                timeout,
                labels,
                probe,
                probeGrace,
                retries,
                backoff,
                kept);
    }

    private static @Nullable Duration probeGrace(Arguments arguments) {
        if (!arguments.flag(Syntaxes.PROBE_GRACE)) {
            return null;
        } else if (arguments.find(Syntaxes.PROBE) == null) {
            throw new UsageException(arguments.source(Syntaxes.PROBE_GRACE) + " goes with --probe");
        }
        return Durations.orZero(arguments, Syntaxes.PROBE_GRACE);
    }

    private static KeptDetails kept(Arguments arguments) {
        if (arguments.flag(Syntaxes.NO_KEEP_COMMAND)) {
            return KeptDetails.NOTHING;
        }
        return arguments.find(Syntaxes.SEAL_KEYS) == null ? KeptDetails.OPEN : KeptDetails.SEALED;
    }

    private static Address address(Arguments arguments, String key) {
        return Addresses.of(arguments.value(Syntaxes.SCOPE), OPERATION, key);
    }

    /** How long the result answers duplicates; the tombstone is kept for the same time again. */
    Retention retention() {
        Retention given = ttl == null ? Retention.DEFAULT : Retention.of(ttl);
        return given.withTombstone(given.keep());
    }

    /** Whether a key whose result has expired may run again. A destructive command never may. */
    boolean runsAgain(Entry tombstone) {
        return sideEffect != SideEffect.DESTRUCTIVE
                && !DESTRUCTIVE.equals(tombstone.labels().get(SIDE_EFFECT_LABEL));
    }

    /** Whether an entry in doubt is run again. */
    public boolean rerunsDoubt() {
        return rerunDoubt || sideEffect == SideEffect.IDEMPOTENT;
    }

    /** When the command can no longer act: all its tries, the pauses between them, killing and recording included. */
    public Duration timeLimit() {
        if (timeout == null) {
            return NO_LIMIT;
        }
        Duration limit = Duration.ofMinutes(1);
        Duration pause = backoff;
        for (int left = retries; ; left--) {
            limit = limit.plus(timeout).plus(CommandRun.KILL_GRACE);
            if (left == 0 || limit.compareTo(NO_LIMIT) > 0) {
                return limit.compareTo(NO_LIMIT) > 0 ? NO_LIMIT : limit;
            }
            limit = limit.plus(pause);
            pause = Retrying.next(pause);
        }
    }
}
