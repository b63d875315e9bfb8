package dev.idem.cli.run;

import dev.idem.Address;
import dev.idem.Entry;
import dev.idem.SideEffect;
import dev.idem.cli.entry.Addresses;
import dev.idem.cli.entry.Queries;
import dev.idem.cli.syntax.Arguments;
import dev.idem.cli.syntax.Durations;
import dev.idem.cli.syntax.Option;
import dev.idem.cli.syntax.Options;
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

    public static final Option WAIT = Option.of(
                    "--wait", "TIME", "10s", "how long to wait for a running duplicate; 0 to be refused at once")
            .byEnv();
    public static final Option SIDE_EFFECT = Option.of(
                    "--side-effect",
                    "CLASS",
                    "write",
                    "write, idempotent (safe to run again, also in doubt) or destructive (never waits, never again)")
            .withWords("write", "idempotent", "destructive")
            .byEnv();
    public static final Option ON_DOUBT = Option.of(
                    "--on-doubt",
                    "WHAT",
                    "halt",
                    "halt, or rerun when running it twice does no harm; what to do with doubt")
            .withWords("halt", "rerun")
            .byEnv();
    public static final Option ON_NONZERO = Option.of(
                    "--on-nonzero",
                    "WHAT",
                    "doubt",
                    "doubt; rerun: every exit from 1 to 127 means that nothing happened; keep: it is a result like any other")
            .withWords("doubt", "rerun", "keep")
            .byEnv();
    public static final Option FAILED_EXITS = Option.of(
                    "--failed-exits",
                    "LIST",
                    "the exits that mean that nothing happened, e.g. 1,2,64-78, below 128; or curl or wget: those exits of this"
                            + " command that prove it")
            .byEnv();
    static final Option FINGERPRINT = Option.of(
                    "--fingerprint",
                    "LIST",
                    "what guards the key: the command's words (argv), and cwd, stdin, env:NAME, separated by commas; cwd if "
                            + "--key-from has argv")
            .byEnv();
    public static final Option PROBE = Option.of(
                    "--probe",
                    "LINE",
                    "a shell line that is asked when the key is in doubt: exit 0, it happened and its stdout is the result; 1, it "
                            + "did not and no longer can; else unknown")
            .byEnv();
    public static final Option PROBE_GRACE = Option.of(
                    "--probe-grace",
                    "TIME",
                    "how long after its exit the command's effect may still appear: the probe is asked after that, and not only "
                            + "when --timeout is over")
            .byEnv();
    public static final Option RETRY = Option.of(
                    "--retry",
                    "N",
                    "0",
                    "how often to try again when nothing happened, or when the command is idempotent; never if destructive")
            .byEnv();
    public static final Option BACKOFF = Option.of(
                    "--backoff",
                    "TIME",
                    "1s",
                    "how long before the first of these; each waits twice as long, up to 60s")
            .byEnv();
    public static final Option NO_KEEP_COMMAND = Option.flag(
                    "--no-keep-command",
                    "keeps neither the command's words nor, with a doubt, its last lines of output: they may hold secrets")
            .byEnv();

    /** The options for the guarding of a command, in the order of the help. */
    public static final List<Option> GUARDING = List.of(
            Options.TTL,
            Options.LEASE,
            WAIT,
            Options.TIMEOUT,
            SIDE_EFFECT,
            ON_DOUBT,
            PROBE,
            PROBE_GRACE,
            ON_NONZERO,
            FAILED_EXITS,
            RETRY,
            BACKOFF);
    /** The options for what is kept of a command, and for a dry run. */
    public static final List<Option> KEEPING = List.of(Queries.LABEL, Queries.RUN_ID, NO_KEEP_COMMAND, Options.DRY_RUN);

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
                .get(arguments.choice(SIDE_EFFECT));
        boolean rerunDoubt = arguments.choice(ON_DOUBT) == 1;
        OnNonzero onNonzero =
                List.of(OnNonzero.DOUBT, OnNonzero.RERUN, OnNonzero.KEEP).get(arguments.choice(ON_NONZERO));
        if (sideEffect == SideEffect.DESTRUCTIVE && rerunDoubt) {
            throw new UsageException(arguments.source(ON_DOUBT) + ": a destructive command is never run again "
                    + "by itself; leave out rerun, or declare it --side-effect write");
        }
        if (sideEffect == SideEffect.DESTRUCTIVE && onNonzero == OnNonzero.RERUN) {
            throw new UsageException(arguments.source(ON_NONZERO) + ": a destructive command is not run again "
                    + "on trust; name the exits that mean that nothing happened with --failed-exits");
        }
        int retries = arguments.number(RETRY, 0, 1000);
        if (sideEffect == SideEffect.DESTRUCTIVE && retries > 0) {
            throw new UsageException(
                    arguments.source(RETRY) + ": a destructive command is never tried again by itself");
        }
        String failed = arguments.find(FAILED_EXITS);
        Duration timeout = Durations.orZero(arguments, Options.TIMEOUT);
        Duration ttl = Durations.positive(arguments, Options.TTL);
        return new RunRequest(
                address(arguments, key),
                arguments.command(),
                sideEffect,
                rerunDoubt,
                onNonzero,
                failed == null ? ExitCodes.none() : ExitCodes.parse(failed, arguments.source(FAILED_EXITS)),
                guard(arguments),
                arguments.flag(Options.TTL) ? ttl : null,
                Durations.positive(arguments, Options.LEASE),
                Durations.orZero(arguments, WAIT),
                timeout.isZero() ? null : timeout,
                Queries.labelsToSet(arguments),
                arguments.find(PROBE),
                probeGrace(arguments),
                retries,
                Durations.orZero(arguments, BACKOFF),
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

    /** The same words are other work in another folder: where they make the key, the folder guards it. */
    private static Sources guard(Arguments arguments) {
        String list = arguments.find(FINGERPRINT);
        String from = arguments.find(RunCommand.KEY_FROM);
        boolean byFolder = list == null
                && from != null
                && Sources.ofKey(from, arguments.source(RunCommand.KEY_FROM))
                        .plain()
                        .contains(Sources.ARGV);
        return Sources.ofGuard(byFolder ? Sources.CWD : list, arguments.source(FINGERPRINT));
    }

    private static @Nullable Duration probeGrace(Arguments arguments) {
        if (!arguments.flag(PROBE_GRACE)) {
            return null;
        } else if (arguments.find(PROBE) == null) {
            throw new UsageException(arguments.source(PROBE_GRACE) + " goes with --probe");
        }
        return Durations.orZero(arguments, PROBE_GRACE);
    }

    private static KeptDetails kept(Arguments arguments) {
        if (arguments.flag(NO_KEEP_COMMAND)) {
            return KeptDetails.NOTHING;
        }
        return arguments.find(Options.SEAL_KEYS) == null ? KeptDetails.OPEN : KeptDetails.SEALED;
    }

    private static Address address(Arguments arguments, String key) {
        return Addresses.of(arguments.value(Options.SCOPE), OPERATION, key);
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
