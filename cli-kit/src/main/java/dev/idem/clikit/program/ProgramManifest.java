package dev.idem.clikit.program;

import dev.idem.command.Danger;
import dev.idem.command.ExitCode;
import dev.idem.command.Manifest;
import dev.idem.command.Manifest.Flag;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** Lists every command of a picocli program with its options, its danger and its exit codes, for agents. */
final class ProgramManifest {
    private static final Set<ExitCode> OF_WRITES_ALONE = Set.of(ExitCode.PARTIAL_FAILURE, ExitCode.CONFLICT);

    private final CommandSpec top;
    private final Map<CommandSpec, Declaration> declarations;
    private final Map<String, @Nullable Object> commands = new TreeMap<>();

    ProgramManifest(CommandSpec top, Map<CommandSpec, Declaration> declarations) {
        this.top = top;
        this.declarations = declarations;
    }

    Map<String, @Nullable Object> fields() {
        children(top).forEach(this::add);
        if (declarations.containsKey(top)) {
            commands.put(Declaration.path(top), entry(top));
        }
        return Manifest.of(ProgramManifest.class, commands);
    }

    private void add(CommandSpec spec) {
        commands.put(Declaration.path(spec), entry(spec));
        children(spec).forEach(this::add);
    }

    private Map<String, @Nullable Object> entry(CommandSpec spec) {
        Declaration declaration = declarations.get(spec);
        Danger danger = declaration == null ? Danger.SAFE : Danger.of(declaration.sideEffect());
        Map<String, Flag> flags = new TreeMap<>();
        for (OptionSpec option : spec.options()) {
            if (!option.hidden()) {
                flags.put(option.longestName().replaceFirst("^-+", ""), flag(option));
            }
        }
        Map<String, @Nullable Object> entry = Manifest.command(
                description(spec),
                danger,
                declaration == null ? List.of() : declaration.requiredScopes(),
                false,
                flags,
                exits(danger));
        if (spec.aliases().length > 0) {
            entry.put("aliases", List.of(spec.aliases()));
        }
        List<String> below = children(spec).stream().map(Declaration::path).toList();
        if (!below.isEmpty() && spec != top) {
            entry.put("subcommands", below);
        }
        return entry;
    }

    /** The codes from 80 on are those of {@code idem run}. */
    private static List<ExitCode> exits(Danger danger) {
        return Stream.of(ExitCode.values())
                .filter(code -> code.number() < ExitCode.IN_FLIGHT.number())
                .filter(code -> danger != Danger.SAFE || !OF_WRITES_ALONE.contains(code))
                .toList();
    }

    private static String description(CommandSpec spec) {
        List<String> parts = new ArrayList<>(List.of(spec.usageMessage().description()));
        spec.positionalParameters()
                .forEach(parameter ->
                        parts.add(parameter.paramLabel() + ": " + String.join(" ", parameter.description())));
        return String.join(" ", parts);
    }

    /** The direct subcommands, each once despite its aliases. */
    private static Set<CommandSpec> children(CommandSpec spec) {
        Set<CommandSpec> children = new LinkedHashSet<>();
        for (CommandLine child : spec.subcommands().values()) {
            if (!child.getCommandSpec().usageMessage().hidden()) {
                children.add(child.getCommandSpec());
            }
        }
        return children;
    }

    private static Flag flag(OptionSpec option) {
        List<String> words = option.type().isEnum()
                ? Arrays.stream(option.type().getEnumConstants())
                        .map(String::valueOf)
                        .toList()
                : List.of();
        String letter = Stream.of(option.names())
                .filter(name -> name.length() == 2 && name.charAt(0) == '-')
                .map(name -> name.substring(1))
                .findFirst()
                .orElse(null);
        String description = String.join(" ", option.description());
        return new Flag(type(option), option.required(), description, option.defaultValue(), words, letter);
    }

    private static String type(OptionSpec option) {
        Class<?> type = option.type();
        if (option.isMultiValue()) {
            return "array";
        } else if (type.isEnum()) {
            return "enum";
        } else if (type == boolean.class || type == Boolean.class) {
            return "boolean";
        } else if (Set.of(double.class, float.class, Double.class, Float.class, BigDecimal.class)
                .contains(type)) {
            return "number";
        }
        boolean integer = type == BigInteger.class || Number.class.isAssignableFrom(type) || type.isPrimitive();
        return integer && type != char.class ? "integer" : "string";
    }
}
