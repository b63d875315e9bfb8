package dev.idem.clikit.program;

import dev.idem.clikit.UndeclaredCommandException;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

/** A picocli program whose commands all have declarations, with the options of the kit added. */
public final class Program {
    private final CommandLine commandLine;
    private final Map<CommandSpec, Declaration> declarations = new LinkedHashMap<>();

    public Program(CommandLine commandLine) {
        this.commandLine = commandLine;
        if (!commandLine.getSubcommands().containsKey(ManifestCommand.NAME)) {
            commandLine.addSubcommand(new ManifestCommand(() -> new ProgramManifest(spec(), declarations).fields()));
        }
        declare(spec());
        declarations.forEach(KitOptions::addTo);
        addToGroups(spec());
    }

    public CommandLine commandLine() {
        return commandLine;
    }

    public String name() {
        return spec().name();
    }

    /** The declaration of a command; null for a group of commands and for picocli's own commands. */
    @Nullable
    public Declaration declaration(CommandSpec spec) {
        return declarations.get(spec);
    }

    private CommandSpec spec() {
        return commandLine.getCommandSpec();
    }

    private void declare(CommandSpec spec) {
        Declaration declaration = Declaration.of(spec);
        if (declaration != null) {
            requireOwnName(spec, declaration);
            declarations.put(spec, declaration);
        }
        spec.subcommands().values().forEach(child -> declare(child.getCommandSpec()));
    }

    /** Refuses two commands with one name: they would get each other's results. */
    private void requireOwnName(CommandSpec spec, Declaration declaration) {
        declarations.forEach((other, known) -> {
            if (known.operation().equals(declaration.operation()) && !other.equals(spec)) {
                throw new UndeclaredCommandException("the commands '" + other.qualifiedName() + "' and '"
                        + spec.qualifiedName() + "' both have the name '" + declaration.operation()
                        + "' in the ledger, and would get each other's results. Rename one of them");
            }
        });
    }

    /** Adds the options for JSON to groups, so that their error messages have both forms. */
    private void addToGroups(CommandSpec spec) {
        boolean has = spec.optionsMap().containsKey(KitOptions.JSON);
        if (!has && !spec.subcommands().isEmpty()) {
            KitOptions.addTo(spec, null);
        }
        spec.subcommands().values().forEach(child -> addToGroups(child.getCommandSpec()));
    }
}
