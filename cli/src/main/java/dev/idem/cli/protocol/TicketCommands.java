package dev.idem.cli.protocol;

import dev.idem.Address;
import dev.idem.Entry;
import dev.idem.JsonException;
import dev.idem.State;
import dev.idem.cli.around.LedgerPlace;
import dev.idem.cli.around.Surroundings;
import dev.idem.cli.entry.Addresses;
import dev.idem.cli.entry.EntryFields;
import dev.idem.cli.entry.Queries;
import dev.idem.cli.entry.Suggested;
import dev.idem.cli.recorded.Given;
import dev.idem.cli.recorded.Results;
import dev.idem.cli.syntax.Arguments;
import dev.idem.cli.syntax.Durations;
import dev.idem.cli.syntax.ProtocolSyntaxes;
import dev.idem.cli.syntax.Syntaxes;
import dev.idem.cli.syntax.UsageException;
import dev.idem.command.Answer;
import dev.idem.command.ExitCode;
import dev.idem.internal.key.Identity;
import dev.idem.spi.AttemptId;
import dev.idem.spi.ClaimRequest;
import dev.idem.spi.Effect;
import dev.idem.spi.Failure;
import dev.idem.spi.Fence;
import dev.idem.spi.Fingerprints;
import dev.idem.spi.Ledger;
import dev.idem.spi.Owner;
import dev.idem.spi.ProcessRef;
import dev.idem.spi.Result;
import dev.idem.spi.Retention;
import dev.idem.spi.Settled;
import dev.idem.spi.Settlement;
import dev.idem.spi.TakeOver;
import dev.idem.spi.Ticket;
import java.io.IOException;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** {@code idem claim}, {@code renew} and {@code settle}: the steps of an operation, one call each. */
public record TicketCommands(Surroundings around, Arguments arguments) {
    private static final Duration FOR_GOOD = Duration.ofDays(36_500);

    public Answer run() throws IOException {
        Address address = address();
        if (arguments.isFor(ProtocolSyntaxes.CLAIM)) {
            return claim(address);
        }
        Ticket ticket = new Ticket(address, fence());
        return arguments.isFor(ProtocolSyntaxes.RENEW) ? renew(ticket) : settle(ticket, settlement());
    }

    private Address address() {
        return Addresses.of(
                arguments.value(Syntaxes.SCOPE), arguments.value(ProtocolSyntaxes.OPERATION), arguments.operand());
    }

    private Fence fence() {
        String given = arguments.value(ProtocolSyntaxes.FENCE);
        try {
            return new Fence(Long.parseLong(given));
        } catch (IllegalArgumentException e) {
            throw new UsageException("--fence: '" + given + "' is no fence; it is the number that claim gave");
        }
    }

    private Answer claim(Address address) throws IOException {
        ClaimRequest request = request(address);
        ClaimAnswers answers = new ClaimAnswers(around, arguments, request);
        try (Ledger ledger = LedgerPlace.open(around, arguments)) {
            return arguments.flag(Syntaxes.DRY_RUN)
                    ? answers.dry(ledger.find(address).orElse(null))
                    : ledger.claim(request).match(answers);
        }
    }

    private ClaimRequest request(Address address) throws IOException {
        Duration limit = Durations.orZero(arguments, Syntaxes.TIMEOUT);
        Identity identity = identity();
        try {
            return ClaimRequest.of(attemptId(), address, fingerprints(address, identity), owner())
                    .withLabels(labels(identity))
                    .withLease(Durations.positive(arguments, Syntaxes.LEASE))
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
        String name = arguments.find(ProtocolSyntaxes.OWNER);
        if (arguments.find(ProtocolSyntaxes.OWNER_PID) == null) {
            return Owner.named(name == null ? "a caller of idem claim" : name);
        }
        int pid = arguments.number(ProtocolSyntaxes.OWNER_PID, 1, Integer.MAX_VALUE);
        ProcessRef process = around.host().process(pid).orElse(null);
        if (process == null && around.host().self().process() != null) {
            throw new UsageException("--owner-pid: there is no process " + pid);
        }
        return new Owner(name == null ? around.host().name(pid) : name, process);
    }

    private TakeOver takeOver() {
        return switch (arguments.value(ProtocolSyntaxes.TAKE_OVER)) {
            case "probe" -> TakeOver.PROBE;
            case "rerun" -> TakeOver.RERUN;
            default -> TakeOver.NONE;
        };
    }

    private @Nullable Identity identity() throws IOException {
        String given = arguments.find(ProtocolSyntaxes.IDENTITY);
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
        if (identity != null && arguments.find(Syntaxes.SEAL_KEYS) == null) {
            labels.putAll(identity.labels());
        }
        labels.putAll(Queries.labelsToSet(arguments));
        return labels;
    }

    private AttemptId attemptId() {
        String given = arguments.find(ProtocolSyntaxes.ATTEMPT_ID);
        if (given != null) {
            return AttemptId.parse(given);
        }
        SecureRandom random = new SecureRandom();
        return new AttemptId(random.nextLong(), random.nextLong());
    }

    private Answer renew(Ticket ticket) {
        Duration lease = Durations.positive(arguments, Syntaxes.LEASE);
        try (Ledger ledger = LedgerPlace.open(around, arguments)) {
            if (arguments.flag(Syntaxes.DRY_RUN)) {
                return dry(
                        ticket, ledger.find(ticket.address()).orElse(null), "renew it for " + Durations.words(lease));
            }
            if (!ledger.renew(ticket, lease)) {
                return stale(ticket, ledger.find(ticket.address()).orElse(null));
            }
            return Answer.ok(EntryFields.call("updated", ticket.address()))
                    .with("fence", ticket.fence().number())
                    .with("lease_ms", lease.toMillis())
                    .text("renewed for " + Durations.words(lease) + "\n");
        }
    }

    private Settlement settlement() throws IOException {
        Retention retention = Retention.of(Durations.positive(arguments, Syntaxes.TTL));
        String how = arguments.value(ProtocolSyntaxes.ENDED);
        if (how.equals("complete")) {
            return new Settlement.Completed(result(), Effect.CREATED, retention);
        }
        String error = arguments.value(ProtocolSyntaxes.ERROR);
        Failure failure = Failure.told("idem settle", error);
        return switch (how) {
            case "failed" -> new Settlement.Failed(failure, false, retention);
            case "not_executed" -> new Settlement.NotExecuted(error.isEmpty() ? "a probe said so" : error, retention);
            default -> new Settlement.Doubtful(failure);
        };
    }

    private Result result() throws IOException {
        String given = arguments.find(ProtocolSyntaxes.RESULT);
        String none = arguments.find(ProtocolSyntaxes.NO_RESULT);
        if (none == null) {
            return new Result.Stored(Given.payload(given == null ? "null" : given, around));
        } else if (given != null) {
            throw new UsageException("give --result or --no-result, not both");
        }
        return new Result.Unavailable(none);
    }

    private Answer settle(Ticket ticket, Settlement how) {
        try (Ledger ledger = LedgerPlace.open(around, arguments)) {
            if (arguments.flag(Syntaxes.DRY_RUN)) {
                String word = arguments.value(ProtocolSyntaxes.ENDED);
                Entry entry = ledger.find(ticket.address()).orElse(null);
                return entry != null && entry.fence().equals(ticket.fence()) && entry.settlement() != null
                        ? already(how, entry)
                        : dry(ticket, entry, "settle it as " + word);
            }
            Settled settled = ledger.settle(ticket, how);
            if (settled instanceof Settled.Recorded recorded) {
                Answer answer = Answer.ok(EntryFields.found("updated", recorded.entry()))
                        .text("settled as " + recorded.entry().state().word() + "\n");
                return laundered(how, recorded.entry())
                        ? answer.warn(
                                "STILL_IN_DOUBT",
                                "an earlier attempt is in doubt, which a failure of this one does not clear: the key "
                                        + "stays in doubt")
                        : answer;
            } else if (settled instanceof Settled.Already already) {
                return already(how, already.entry());
            }
            return stale(ticket, ((Settled.Stale) settled).entry());
        }
    }

    /** The effect that the ticket would have on the current entry. */
    private static Answer dry(Ticket ticket, @Nullable Entry entry, String what) {
        if (entry == null || !entry.fence().equals(ticket.fence())) {
            return stale(ticket, entry);
        }
        if (entry.state() != State.IN_PROGRESS) {
            return Answer.ok(EntryFields.found("noop", entry))
                    .with("reason", "it was settled before")
                    .text("it was settled before, as " + entry.state().word() + "\n");
        }
        return Answer.ok(EntryFields.found("would_update", entry)).text("would " + what + "\n");
    }

    /** Settling in the same way again changes nothing. Settling in another way is refused. */
    private Answer already(Settlement how, Entry entry) {
        String state = entry.state().word();
        if (repeats(how, entry)) {
            return Answer.ok(EntryFields.found("noop", entry))
                    .with("reason", "it was settled before")
                    .replayed()
                    .text("it was settled before, as " + state + "\n");
        }
        boolean same = how instanceof Settlement.Completed && entry.state() == State.COMPLETE;
        String message = "'" + entry.address().key() + "' was settled before as " + state
                + (same ? " with another result" : "") + ". Nothing was written";
        Suggested suggested =
                new Suggested(around.program(), arguments, entry.address().key());
        Answer answer = Answer.no(ExitCode.CONFLICT, "CONFLICT", message)
                .fixCommand(suggested.why())
                .data(EntryFields.found("noop", entry));
        if (how instanceof Settlement.Completed && entry.state() != State.COMPLETE) {
            String resolve = "if it did happen: " + suggested.resolve("complete");
            answer.fix(resolve).line("its key may run again; " + resolve);
        }
        return answer;
    }

    private static boolean repeats(Settlement how, Entry entry) {
        if (how instanceof Settlement.Completed completed) {
            return entry.state() == State.COMPLETE && Results.same(completed.result(), entry.result());
        }
        return entry.state() == (how instanceof Settlement.Doubtful ? State.IN_DOUBT : State.FAILED)
                || laundered(how, entry);
    }

    private static boolean laundered(Settlement how, Entry entry) {
        return how instanceof Settlement.Failed
                && entry.state() == State.IN_DOUBT
                && entry.settlement() instanceof Settlement.Doubtful;
    }

    private static Answer stale(Ticket ticket, @Nullable Entry entry) {
        return Answer.no(
                        ExitCode.CONFLICT,
                        "STALE",
                        "fence " + ticket.fence() + " of '" + ticket.address().key() + "' is no longer the current one"
                                + (entry == null ? "; there is no entry" : ": it is " + entry.fence())
                                + ". Nothing was written")
                .fix("stop acting on this key")
                .data(entry == null ? null : EntryFields.found("noop", entry));
    }
}
