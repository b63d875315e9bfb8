package dev.idem.cli.upkeep;

import dev.idem.Json;
import dev.idem.cli.syntax.Arguments;
import dev.idem.cli.syntax.Command;
import dev.idem.cli.syntax.Commands;
import dev.idem.cli.syntax.Option;
import dev.idem.cli.syntax.Options;
import dev.idem.cli.syntax.Syntax;
import dev.idem.cli.syntax.Syntax.Trait;
import dev.idem.command.Answer;
import dev.idem.command.ExitCode;
import dev.idem.command.Manifest;
import dev.idem.command.Manifest.Flag;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** {@code idem manifest}: the syntax of all commands, for programs. */
public final class ManifestCommand {
    private static final Option ETAG =
            Option.of("--etag", "HASH", "answers not_modified when the manifest still has this hash");

    public static final Command COMMAND = Syntax.of(
                    "manifest", "describes all commands, options and exit codes for programs")
            .is(Trait.FIXED_MEMBERS)
            .has(ETAG)
            .has(Options.OUTPUT)
            .does((around, arguments) -> answer(arguments));

    private ManifestCommand() {}

    private static Answer answer(Arguments arguments) {
        Map<String, @Nullable Object> commands = new LinkedHashMap<>();
        Commands.syntaxes().forEach(syntax -> commands.put(syntax.name().replace(' ', '.'), command(syntax)));
        Map<String, @Nullable Object> manifest = Manifest.of(ManifestCommand.class, commands);
        String etag = arguments.find(ETAG);
        return etag != null && etag.equals(manifest.get("etag"))
                ? Answer.ok(new LinkedHashMap<>())
                        .data(null)
                        .meta("not_modified", true)
                        .text("not modified\n")
                : Answer.ok(manifest).text(Json.write(manifest) + "\n");
    }

    private static Map<String, @Nullable Object> command(Syntax syntax) {
        Map<String, Flag> flags = new LinkedHashMap<>();
        for (Option option : syntax.options()) {
            flags.put(option.name().substring(2), flag(option, option.help()));
            for (String alias : option.aliases()) {
                flags.put(alias.substring(2), flag(option, "the same as " + option.name() + ": " + option.help()));
            }
        }
        List<ExitCode> exits = syntax.exits().stream().map(ExitCode::of).toList();
        // No command of idem has an account at a service, so none needs scopes: the ledger controls access.
        Map<String, @Nullable Object> command =
                Manifest.command(syntax.summary(), syntax.danger(), List.of(), syntax.runs(), flags, exits);
        command.put("streaming_default", syntax.has(Trait.STREAMS));
        Map<String, Object> example = new LinkedHashMap<>();
        example.put("description", "how it is called");
        example.put("command", syntax.usage());
        command.put("examples", List.of(example));
        return command;
    }

    private static Flag flag(Option option, String help) {
        String type = option.isFlag()
                ? "boolean"
                : option.repeats()
                        ? "array"
                        : !option.words().isEmpty() ? "enum" : "N".equals(option.argument()) ? "integer" : "string";
        return new Flag(type, option.needed(), help, option.fallback(), option.words(), null);
    }
}
