package dev.idem.clikit;

import dev.idem.internal.json.CanonicalJson;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** Every command of a program with its options, its danger and its exit codes, for an agent to read in one call. */
final class Manifest {
    private static final Set<ExitCode> OF_READS = Set.of(
            ExitCode.SUCCESS,
            ExitCode.GENERAL_ERROR,
            ExitCode.ARG_ERROR,
            ExitCode.PRECONDITION,
            ExitCode.NOT_FOUND,
            ExitCode.PERMISSION_DENIED,
            ExitCode.TIMEOUT,
            ExitCode.UNAVAILABLE);

    private final CommandSpec top;
    private final Map<CommandSpec, Declaration> declarations;
    private final Map<String, Object> commands = new TreeMap<>();

    Manifest(CommandSpec top, Map<CommandSpec, Declaration> declarations) {
        this.top = top;
        this.declarations = declarations;
    }

    Map<String, Object> fields() {
        for (CommandSpec child : children(top)) {
            add(child);
        }
        Declaration own = declarations.get(top);
        if (own != null) {
            commands.put(Declaration.path(top), entry(top, own));
        }
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("schema_version", "3.0");
        fields.put("framework_version", version());
        fields.put("etag", etag());
        fields.put("commands", commands);
        return fields;
    }

    private void add(CommandSpec spec) {
        commands.put(Declaration.path(spec), entry(spec, declarations.get(spec)));
        children(spec).forEach(this::add);
    }

    private Map<String, Object> entry(CommandSpec spec, @Nullable Declaration declaration) {
        Map<String, Object> entry = new LinkedHashMap<>();
        entry.put("description", description(spec));
        if (spec.aliases().length > 0) {
            entry.put("aliases", List.of(spec.aliases()));
        }
        entry.put("danger_level", declaration == null ? "safe" : declaration.dangerLevel());
        entry.put("required_scopes", declaration == null ? List.of() : declaration.requiredScopes());
        entry.put("option_placement", "any");
        Map<String, Object> flags = new TreeMap<>();
        for (OptionSpec option : spec.options()) {
            if (!option.hidden()) {
                flags.put(option.longestName().replaceFirst("^-+", ""), Flag.of(option));
            }
        }
        entry.put("flags", flags);
        entry.put("exit_codes", exitCodes(declaration != null && declaration.mutates()));
        List<String> below = new ArrayList<>();
        children(spec).forEach(child -> below.add(Declaration.path(child)));
        if (!below.isEmpty() && spec != top) {
            entry.put("subcommands", below);
        }
        return entry;
    }

    private static Map<String, Object> exitCodes(boolean mutates) {
        Map<String, Object> codes = new LinkedHashMap<>();
        for (ExitCode code : ExitCode.values()) {
            if (mutates || OF_READS.contains(code)) {
                Map<String, Object> fields = new LinkedHashMap<>();
                fields.put("name", code.name());
                fields.put("description", code.meaning());
                fields.put("retryable", code.retryable());
                fields.put("side_effects", mutates ? code.sideEffects() : "none");
                codes.put(Integer.toString(code.number()), fields);
            }
        }
        return codes;
    }

    private static String description(CommandSpec spec) {
        StringBuilder text =
                new StringBuilder(String.join(" ", spec.usageMessage().description()));
        spec.positionalParameters()
                .forEach(parameter -> text.append(text.length() == 0 ? "" : " ")
                        .append(parameter.paramLabel())
                        .append(": ")
                        .append(String.join(" ", parameter.description())));
        return text.toString();
    }

    /** The commands right below, each once although its aliases lead to it too. */
    private static Set<CommandSpec> children(CommandSpec spec) {
        Set<CommandSpec> children = new LinkedHashSet<>();
        for (CommandLine child : spec.subcommands().values()) {
            if (!child.getCommandSpec().usageMessage().hidden()) {
                children.add(child.getCommandSpec());
            }
        }
        return children;
    }

    private String etag() {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(CanonicalJson.bytes(commands));
            return HexFormat.of().formatHex(digest, 0, 16);
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError("every JVM has SHA-256", e);
        }
    }

    private static String version() {
        String version = Manifest.class.getPackage().getImplementationVersion();
        return version == null ? "development" : version;
    }
}
