package dev.idem.cli.entry;

import dev.idem.Entry;
import dev.idem.JsonException;
import dev.idem.cli.around.Surroundings;
import dev.idem.cli.recorded.CommandCodec;
import dev.idem.cli.recorded.CommandResult;
import dev.idem.cli.recorded.Given;
import dev.idem.cli.recorded.Recorded;
import dev.idem.cli.recorded.Results;
import dev.idem.cli.syntax.Arguments;
import dev.idem.cli.syntax.Durations;
import dev.idem.cli.syntax.Options;
import dev.idem.cli.syntax.UsageException;
import dev.idem.internal.codec.Codecs;
import dev.idem.spi.Effect;
import dev.idem.spi.Payload;
import dev.idem.spi.ResolvedBy;
import dev.idem.spi.Result;
import dev.idem.spi.Retention;
import dev.idem.spi.Settlement;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A person's decision on an entry: the outcome, the result, the name and the reason. */
final class Resolving {
    /** The operations of commands, whose result is an exit code and output. */
    static final List<String> COMMANDS = List.of("run", "batch");

    private final Surroundings around;
    private final Arguments arguments;

    Resolving(Surroundings around, Arguments arguments) {
        this.around = around;
        this.arguments = arguments;
    }

    /** The decision for an entry of this operation. */
    Settlement settlement(String operation) throws IOException {
        Retention retention = Retention.of(Durations.positive(arguments, Options.TTL));
        String given = arguments.find(ResolveCommand.RESULT);
        String none = arguments.find(ResolveCommand.NO_RESULT);
        if (arguments.choice(ResolveCommand.AS) == 1) {
            if (given != null || none != null) {
                throw new UsageException("--result and --no-result go with --as complete");
            }
            return new Settlement.NotExecuted(decision(), retention);
        } else if (given != null && none != null) {
            throw new UsageException("--result and --no-result exclude each other");
        }
        return new Settlement.Completed(result(operation, given, none), Effect.CREATED, retention, decision());
    }

    private Result result(String operation, @Nullable String given, @Nullable String none) throws IOException {
        if (COMMANDS.contains(operation)) {
            CommandResult result = given == null
                    ? CommandResult.resolvedByHand()
                    : new CommandResult(0, Recorded.of(Given.bytes(given, around), new byte[0]), true, null);
            return new Codecs(List.of(new CommandCodec()), Integer.MAX_VALUE, Integer.MAX_VALUE)
                    .encode(result, CommandResult.class);
        } else if (given != null) {
            return new Result.Stored(json(given));
        } else if (none != null) {
            return new Result.Unavailable(Settlement.toldWithoutResult(person(), none));
        }
        throw new UsageException(
                "--as complete needs --result JSON (or --result - for stdin), which later calls get. If "
                        + "the result is unknown: --no-result WHY; later calls then do not run, and get the reason");
    }

    /** Other text would be stored as text, which no caller that declares another type could read. */
    private Payload json(String given) throws IOException {
        try {
            return Given.jsonPayload(given, around);
        } catch (JsonException e) {
            throw new UsageException("--result is not JSON (" + e.getMessage()
                    + "). For a text write it in double quotes: --result '\"ch_1\"'");
        }
    }

    private ResolvedBy decision() {
        try {
            return ResolvedBy.of(person(), arguments.find(ResolveCommand.WHY));
        } catch (IllegalArgumentException e) {
            throw new UsageException(e.getMessage() + ". Nothing was resolved");
        }
    }

    private @Nullable String person() {
        String by = arguments.find(ResolveCommand.BY);
        String user = around.env().getOrDefault("USER", "");
        return by == null && !user.isEmpty() ? user : by;
    }

    /** Whether the given result differs from that of the complete entry. */
    static boolean addsResult(Settlement how, Entry entry) {
        if (!(how instanceof Settlement.Completed completed) || !(completed.result() instanceof Result.Stored given)) {
            return false;
        }
        boolean command = given.payload().codec().equals(CommandCodec.NAME);
        return !command && !Results.same(given, entry.result());
    }

    /** Describes the answer to later calls. */
    static String later(Settlement how) {
        return how instanceof Settlement.Completed completed && completed.result() instanceof Result.Unavailable
                ? "; later calls do not run, and are told that there is no result\n"
                : "\n";
    }
}
