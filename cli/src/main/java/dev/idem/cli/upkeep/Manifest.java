package dev.idem.cli.upkeep;

import dev.idem.Json;
import dev.idem.cli.envelope.Answer;
import dev.idem.cli.envelope.ExitMeaning;
import dev.idem.cli.syntax.Arguments;
import dev.idem.cli.syntax.Option;
import dev.idem.cli.syntax.Syntax;
import dev.idem.cli.syntax.Syntaxes;
import dev.idem.cli.syntax.UpkeepSyntaxes;
import dev.idem.internal.key.Fingerprint;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** {@code idem manifest}: the tables of the commands, for programs. */
public final class Manifest {
    private static final String SCHEMA_VERSION = "3.0";

    private Manifest() {}

    public static Answer answer(Arguments arguments) {
        Map<String, @Nullable Object> manifest = manifest();
        String etag = arguments.find(UpkeepSyntaxes.ETAG);
        if (etag != null && etag.equals(manifest.get("etag"))) {
            Map<String, @Nullable Object> data = new LinkedHashMap<>();
            data.put("etag", etag);
            return Answer.ok(data).meta("not_modified", true).text("not modified\n");
        }
        return Answer.ok(manifest).text(Json.write(manifest) + "\n");
    }

    static Map<String, @Nullable Object> manifest() {
        Map<String, @Nullable Object> commands = new LinkedHashMap<>();
        for (Syntax syntax : Syntaxes.all()) {
            commands.put(syntax.name(), command(syntax));
        }
        String version = Manifest.class.getPackage().getImplementationVersion();
        Map<String, @Nullable Object> manifest = new LinkedHashMap<>();
        manifest.put("schema_version", SCHEMA_VERSION);
        manifest.put("framework_version", version == null ? "development" : version);
        manifest.put("etag", Fingerprint.ofContent(commands));
        manifest.put("commands", commands);
        return manifest;
    }

    private static Map<String, @Nullable Object> command(Syntax syntax) {
        Map<String, @Nullable Object> flags = new LinkedHashMap<>();
        for (Option option : syntax.options()) {
            flags.put(option.name().substring(2), flag(option, option.help()));
            for (String alias : option.aliases()) {
                flags.put(alias.substring(2), flag(option, "the same as " + option.name() + ": " + option.help()));
            }
        }
        Map<String, @Nullable Object> exits = new LinkedHashMap<>();
        for (int code : syntax.exits()) {
            ExitMeaning meaning = ExitMeaning.of(code);
            Map<String, @Nullable Object> exit = new LinkedHashMap<>();
            exit.put("name", meaning.name());
            exit.put("description", meaning.description());
            exit.put("retryable", meaning.retryable());
            exit.put("side_effects", meaning.sideEffects());
            exits.put(Integer.toString(code), exit);
        }
        Map<String, @Nullable Object> command = new LinkedHashMap<>();
        command.put("description", syntax.summary());
        command.put("danger_level", syntax.danger().word());
        // No command of idem asks a service for anything: who may read a ledger is decided by the ledger.
        command.put("required_scopes", List.of());
        command.put("option_placement", syntax.runs() ? "strict" : "any");
        command.put("streaming_default", UpkeepSyntaxes.streams(syntax));
        command.put("flags", flags);
        command.put("exit_codes", exits);
        command.put("examples", List.of(Map.of("description", "how it is called", "command", syntax.usage())));
        return command;
    }

    private static Map<String, @Nullable Object> flag(Option option, String help) {
        Map<String, @Nullable Object> flag = new LinkedHashMap<>();
        flag.put("type", type(option));
        flag.put("required", option.needed());
        flag.put("description", help);
        if (option.fallback() != null) {
            flag.put("default", option.fallback());
        }
        if (!option.words().isEmpty()) {
            flag.put("enum_values", option.words());
        }
        return flag;
    }

    private static String type(Option option) {
        if (option.isFlag()) {
            return "boolean";
        } else if (option.repeats()) {
            return "array";
        } else if (!option.words().isEmpty()) {
            return "enum";
        }
        return "N".equals(option.argument()) ? "integer" : "string";
    }
}
