package dev.idem.cli.protocol;

import dev.idem.Address;
import dev.idem.JsonException;
import dev.idem.cli.around.Surroundings;
import dev.idem.cli.entry.LedgerPlace;
import dev.idem.cli.entry.Queries;
import dev.idem.cli.recorded.Given;
import dev.idem.cli.syntax.Arguments;
import dev.idem.cli.syntax.Command;
import dev.idem.cli.syntax.Durations;
import dev.idem.cli.syntax.Option;
import dev.idem.cli.syntax.Options;
import dev.idem.cli.syntax.Syntax;
import dev.idem.cli.syntax.Syntax.Trait;
import dev.idem.cli.syntax.UsageException;
import dev.idem.command.Answer;
import dev.idem.command.Danger;
import dev.idem.internal.key.Identity;
import dev.idem.spi.AttemptId;
import dev.idem.spi.ClaimRequest;
import dev.idem.spi.Fingerprints;
import dev.idem.spi.Ledger;
import dev.idem.spi.Owner;
import dev.idem.spi.ProcessRef;
import dev.idem.spi.TakeOver;
import java.io.IOException;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** {@code idem claim}. */
public record ClaimCommand(Surroundings around, Arguments arguments) {
    private static final Duration FOR_GOOD = Duration.ofDays(36_500);

    private static final Option ATTEMPT_ID =
            Option.of("--attempt-id", "HEX", "names this claim, 32 hex digits: sent again it gets the same answer");
    private static final Option OWNER = Option.of("--owner", "NAME", "who claims, for people to read");
    private static final Option OWNER_PID = Option.of(
            "--owner-pid",
            "PID",
            "the process that will act: once it is gone, the key is in doubt without waiting for the lease");
    private static final Option TAKE_OVER = Option.of(
                    "--take-over", "HOW", "none", "what to do with doubt: none, probe or rerun")
            .withWords("none", "probe", "rerun");

    public static final Command COMMAND = Syntax.of("claim", "claims a key, or says who holds it or how it ended")
            .takes("KEY")
            .is(Danger.MUTATING, Trait.READS_ALL)
            .has(
                    Options.SCOPE,
                    Tickets.OPERATION,
                    Tickets.IDENTITY,
                    Options.LEASE,
                    Options.TIMEOUT,
                    TAKE_OVER,
                    ATTEMPT_ID)
            .has(OWNER, OWNER_PID, Queries.LABEL, Queries.RUN_ID, Options.DRY_RUN)
            .has(Options.LEDGER_OUTPUT)
            .ends(3, 4, 5, 6, 12)
            .explained("""
            Granted: effect created and a fence, which goes with renew and settle. Complete: effect noop and the result.
            Else: 3 in doubt, 4 held by another, 6 used for something else or expired. The key itself makes it safe to
            repeat: no --idempotency-key is needed.
            """)
            .does((around, arguments) -> new ClaimCommand(around, arguments).run());

    private Answer run() throws IOException {
        Address address = Tickets.address(arguments);
        ClaimRequest request = request(address);
        ClaimAnswers answers = new ClaimAnswers(around, arguments, request);
        try (Ledger ledger = LedgerPlace.open(around, arguments)) {
            return arguments.flag(Options.DRY_RUN)
                    ? answers.dry(ledger.find(address).orElse(null))
                    : ledger.claim(request).match(answers);
        }
    }

    private ClaimRequest request(Address address) throws IOException {
        Duration limit = Durations.orZero(arguments, Options.TIMEOUT);
        Identity identity = identity();
        try {
            return ClaimRequest.of(attemptId(), address, fingerprints(address, identity), owner())
                    .withLabels(labels(identity))
                    .withLease(Durations.positive(arguments, Options.LEASE))
                    .withTimeLimit(limit.isZero() ? FOR_GOOD : limit)
                    .withTakeOver(takeOver());
        } catch (IllegalArgumentException e) {
            throw new UsageException(String.valueOf(e.getMessage()));
        }
    }

    /**
     * The caller, or the process that it names.
     *
     * @throws UsageException if that process has ended: its claim could only end in doubt
     */
    private Owner owner() {
        String name = arguments.find(OWNER);
        if (arguments.find(OWNER_PID) == null) {
            return Owner.named(name == null ? "a caller of idem claim" : name);
        }
        int pid = arguments.number(OWNER_PID, 1, Integer.MAX_VALUE);
        ProcessRef process = around.host().process(pid).orElse(null);
        if (process == null && around.host().self().process() != null) {
            throw new UsageException("--owner-pid: there is no process " + pid);
        }
        return new Owner(name == null ? around.host().name(pid) : name, process);
    }

    private TakeOver takeOver() {
        return switch (arguments.value(TAKE_OVER)) {
            case "probe" -> TakeOver.PROBE;
            case "rerun" -> TakeOver.RERUN;
            default -> TakeOver.NONE;
        };
    }

    private @Nullable Identity identity() throws IOException {
        String given = arguments.find(Tickets.IDENTITY);
        try {
            return given == null ? null : Identity.of(Given.json(given, around));
        } catch (JsonException e) {
            throw new UsageException("--identity: " + e.getMessage());
        }
    }

    private static Fingerprints fingerprints(Address address, @Nullable Identity identity) {
        return identity == null
                ? Fingerprints.NONE
                : new Fingerprints(identity.fingerprint(address.scope(), address.operation(), 1), null);
    }

    /** The fields of the identity, unless results are sealed, overridden by the given labels. */
    private Map<String, String> labels(@Nullable Identity identity) {
        Map<String, String> labels = new TreeMap<>();
        if (identity != null && arguments.find(Options.SEAL_KEYS) == null) {
            labels.putAll(identity.labels());
        }
        labels.putAll(Queries.labelsToSet(arguments));
        return labels;
    }

    private AttemptId attemptId() {
        String given = arguments.find(ATTEMPT_ID);
        if (given != null) {
            return AttemptId.parse(given);
        }
        SecureRandom random = new SecureRandom();
        return new AttemptId(random.nextLong(), random.nextLong());
    }
}
