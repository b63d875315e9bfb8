package dev.idem.cli.protocol;

import dev.idem.Json;
import dev.idem.JsonException;
import dev.idem.agent.formula.Formula;
import dev.idem.cli.around.Surroundings;
import dev.idem.cli.entry.Queries;
import dev.idem.cli.recorded.Given;
import dev.idem.cli.syntax.Arguments;
import dev.idem.cli.syntax.Command;
import dev.idem.cli.syntax.Option;
import dev.idem.cli.syntax.Options;
import dev.idem.cli.syntax.Syntax;
import dev.idem.cli.syntax.Syntax.Trait;
import dev.idem.cli.syntax.UsageException;
import dev.idem.command.Answer;
import dev.idem.internal.json.CanonicalJson;
import dev.idem.internal.key.Identity;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** {@code idem key}. */
public record KeyCommand(Surroundings around, Arguments arguments) {
    private static final Option FIELD = Option.of("--field", "NAME=VALUE", "a field of the identity, as text")
            .repeating();
    private static final Option OCCURRENCE = Option.of("--occurrence", "N", "1", "the number of a deliberate repeat");
    private static final Option FORMULA = Option.of(
            "--formula", "ID", "derives the key by the formula of another program; a wrong ID lists all formulas");
    private static final Option EXPLAIN = Option.flag("--explain", "shows what went into the key");
    private static final Option DIFF = Option.flag("--diff", "shows the fields that make the keys of two files differ");

    public static final Command COMMAND = Syntax.of(
                    "key", "derives a key from the fields that identify a piece of work")
            .takes("[JSON-FILE]", "[OTHER-FILE]")
            .is(Trait.NATURAL)
            .has(
                    Options.SCOPE,
                    Tickets.OPERATION,
                    Tickets.IDENTITY,
                    FIELD,
                    OCCURRENCE,
                    FORMULA,
                    EXPLAIN,
                    DIFF,
                    Options.JSON)
            .has(Options.JSON_SHAPE)
            .explained(
                    "The identity is --identity, or --field, or a file with JSON (- is stdin). It opens no ledger.\n")
            .does((around, arguments) -> new KeyCommand(around, arguments).run());

    private Answer run() throws IOException {
        if (arguments.flag(DIFF)) {
            return diff();
        }
        if (arguments.operands().size() > 1) {
            throw new UsageException("two files are for --diff; give one");
        }
        return key(identity());
    }

    private @Nullable Object identity() throws IOException {
        String given = arguments.find(Tickets.IDENTITY);
        List<String> fields = arguments.all(FIELD);
        int ways = (given == null ? 0 : 1)
                + (fields.isEmpty() ? 0 : 1)
                + arguments.operands().size();
        if (ways != 1) {
            throw new UsageException(
                    "give what the key is made of once: --identity JSON, --field NAME=VALUE, or a file");
        }
        if (!fields.isEmpty()) {
            return Queries.labels(fields);
        }
        try {
            return given != null ? json(Given.bytes(given, around)) : file(arguments.operand());
        } catch (JsonException e) {
            throw new UsageException("the identity is not JSON: " + e.getMessage());
        }
    }

    /** Programs in Python read a fraction as a double, and so their formulas do. Keys of Idem keep every digit. */
    private @Nullable Object json(byte[] text) {
        return arguments.find(FORMULA) == null ? Json.parseExact(text) : Json.parse(text);
    }

    private @Nullable Object file(String name) throws IOException {
        if (name.equals("-")) {
            return json(Given.bytes(name, around));
        }
        try {
            return json(Files.readAllBytes(around.directory().resolve(name)));
        } catch (IOException | InvalidPathException e) {
            throw new UsageException("'" + name + "' can't be read: " + e);
        } catch (JsonException e) {
            throw new UsageException("'" + name + "' is not JSON: " + e.getMessage());
        }
    }

    private Answer key(@Nullable Object identity) {
        String formula = arguments.find(FORMULA);
        try {
            Identity fields = Identity.of(identity);
            String key = formula == null
                    ? derived(fields)
                    : Formula.named(formula).key(identity).value();
            String canonical = CanonicalJson.of(identity);
            Answer answer = Answer.ok("noop")
                    .with("key", key)
                    .with("canonical", canonical)
                    .text(key + "\n");
            if (arguments.flag(EXPLAIN)) {
                explain(answer, canonical, formula);
            }
            if (formula == null) {
                fields.warnings().forEach(warning -> answer.warn("VOLATILE_FIELD", warning));
            }
            return answer;
        } catch (JsonException | IllegalArgumentException e) {
            throw new UsageException(String.valueOf(e.getMessage()));
        }
    }

    private String derived(Identity identity) {
        return identity.key(
                arguments.value(Options.SCOPE),
                arguments.value(Tickets.OPERATION),
                arguments.number(OCCURRENCE, 1, Integer.MAX_VALUE));
    }

    private void explain(Answer answer, String canonical, @Nullable String formula) {
        Map<String, @Nullable Object> parts = new LinkedHashMap<>();
        if (formula != null) {
            parts.put("formula", formula);
        } else {
            parts.put("scope", arguments.value(Options.SCOPE));
            parts.put("operation", arguments.value(Tickets.OPERATION));
            parts.put("occurrence", arguments.value(OCCURRENCE));
        }
        parts.put("identity", canonical);
        StringBuilder text = new StringBuilder(answer.text());
        parts.forEach((name, value) ->
                text.append("  ").append(name).append(": ").append(value).append('\n'));
        answer.with("parts", parts).text(text.toString());
    }

    private Answer diff() throws IOException {
        if (arguments.operands().size() != 2) {
            throw new UsageException("--diff compares two files: idem key --diff a.json b.json");
        }
        Object one = file(arguments.operands().get(0));
        Object other = file(arguments.operands().get(1));
        List<Map<String, @Nullable Object>> differences = Differences.between(one, other);
        Answer answer = Answer.ok("noop")
                .with("same", differences.isEmpty())
                .with("keys", List.of(derived(Identity.of(one)), derived(Identity.of(other))))
                .with("differences", differences);
        if (differences.isEmpty()) {
            return answer.text("the same key\n");
        }
        StringBuilder text = new StringBuilder("two keys, split by:\n");
        differences.forEach(each -> text.append("  " + each.get("path") + ": " + each.get("one") + " | ")
                .append(each.get("other") + "\n"));
        return answer.text(text.toString());
    }
}
