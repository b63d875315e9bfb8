package dev.idem.cli;

import dev.idem.Address;
import dev.idem.Idem;
import dev.idem.InFlightException;
import dev.idem.LedgerException;
import dev.idem.NotExecutedException;
import dev.idem.Operation;
import dev.idem.Outcome;
import dev.idem.Policy;
import dev.idem.TypeRef;
import dev.idem.cli.around.Surroundings;
import dev.idem.cli.entry.Addresses;
import dev.idem.cli.entry.LedgerPlace;
import dev.idem.cli.syntax.Arguments;
import dev.idem.cli.syntax.Command;
import dev.idem.cli.syntax.Options;
import dev.idem.cli.syntax.Syntax;
import dev.idem.command.Answer;
import dev.idem.command.ExitCode;
import dev.idem.spi.Ledger;
import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Runs a command of {@code idem} itself once for each {@code --idempotency-key}: the command claims the key in its
 * ledger, and a repeated call is answered from there.
 */
final class OncePerKey {
    private static final String SCOPE = "idem";

    private final Surroundings around;
    private final Arguments arguments;
    private final Command.Code code;

    OncePerKey(Surroundings around, Arguments arguments, Command.Code code) {
        this.around = around;
        this.arguments = arguments;
        this.code = code;
    }

    Answer answer() throws IOException {
        String key = arguments.find(Options.IDEMPOTENCY_KEY);
        if (key == null || arguments.flag(Options.DRY_RUN)) {
            return code.run(around, arguments);
        }
        Address address = address(key);
        try (Ledger ledger = LedgerPlace.open(around, arguments);
                Idem idem = Idem.builder()
                        .ledger(ledger)
                        .purgeEvery(Duration.ZERO)
                        // The arguments of a call may be results.
                        .keepDetails(false)
                        .quiet()
                        .open()) {
            Done done = new Done();
            Operation<Map<String, @Nullable Object>> operation = idem.operation(address.operation())
                    .scope(address.scope())
                    .key(address.key())
                    .identity(identity())
                    .returning(new TypeRef<Map<String, @Nullable Object>>() {});
            Outcome<Map<String, @Nullable Object>> outcome = (resumable()
                            ? operation.policy(Policy.unset().rerunOnDoubt())
                            : operation)
                    .attempt(call -> done.run());
            Answer own = done.answer;
            return own != null ? own : duplicate(outcome, address);
        }
    }

    private boolean resumable() {
        return arguments.syntax().has(Syntax.Trait.RESUMES);
    }

    private Address address(String key) {
        return Addresses.of(SCOPE, "idem " + arguments.syntax().name(), key);
    }

    /** The arguments without those for the form of the answer. */
    private Map<String, Object> identity() {
        Map<String, Object> identity = new TreeMap<>(arguments.values());
        identity.keySet()
                .removeAll(Set.of(
                        Options.JSON.name(),
                        Options.TEXT.name(),
                        Options.JSON_SHAPE.name(),
                        Options.LEDGER.name(),
                        Options.SEAL_KEYS.name(),
                        Options.IDEMPOTENCY_KEY.name()));
        identity.putAll(arguments.repeated());
        identity.put("operands", arguments.operands());
        if (!arguments.command().isEmpty()) {
            identity.put("command", arguments.command());
        }
        return identity;
    }

    /** Runs the command and keeps its answer; if it did nothing or only a part, the key stays free. */
    private final class Done {
        private @Nullable Answer answer;

        Map<String, @Nullable Object> run() throws IOException {
            Answer given = code.run(around, arguments);
            answer = given;
            Map<String, @Nullable Object> data = given.data();
            if (given.exit() == ExitCode.TIMEOUT.number()) {
                // Leaves the key in doubt: it may have happened.
                throw new IllegalStateException("the time limit is over");
            } else if (!isDone(given)) {
                throw new NotExecutedException("it is not done: exit " + given.exit(), null);
            }
            return data == null ? Map.of() : data;
        }

        private boolean isDone(Answer given) {
            if (resumable()) {
                return given.exit() == ExitCode.SUCCESS.number()
                        && around.signals().exitCode() == null;
            }
            return given.exit() == ExitCode.SUCCESS.number() || given.exit() == ExitCode.PARTIAL_FAILURE.number();
        }
    }

    private Answer duplicate(Outcome<Map<String, @Nullable Object>> outcome, Address address) {
        if (outcome instanceof Outcome.Replayed<Map<String, @Nullable Object>> replayed) {
            return Answer.ok(new LinkedHashMap<>(replayed.value()))
                    .with("effect", "noop")
                    .with("reason", "done before, under the same idempotency key")
                    .replayed()
                    .text("done before, under the key '" + address.key() + "'\n");
        } else if (outcome instanceof Outcome.Conflict<?>) {
            return Answer.no(
                            ExitCode.CONFLICT,
                            "CONFLICT",
                            "'" + address.key() + "' was used for another call. Nothing was done")
                    .fix("use a new key for new work");
        } else if (outcome instanceof Outcome.InFlight<?> inFlight) {
            InFlightException why = inFlight.failure();
            return Answer.no(ExitCode.PRECONDITION, "IN_FLIGHT", "the same call is under way. Nothing was done")
                    .retryAfter(why.retryAfter());
        } else if (outcome instanceof Outcome.Failed<?> failed && failed.failure() instanceof LedgerException e) {
            throw e;
        }
        return Answer.no(
                        ExitCode.PARTIAL_FAILURE,
                        "IN_DOUBT",
                        "an earlier call with this key did not end, and may have done its work")
                .fix("look at what it was to do, then use a new key");
    }
}
