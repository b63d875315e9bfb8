package dev.idem.clikit.program;

import dev.idem.clikit.KeyRule;
import dev.idem.clikit.UndeclaredCommandException;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** The options that the kit adds, so that no command has to. */
public final class KitOptions {
    public static final String KEY = "--idempotency-key";
    public static final String SESSION = "--session";
    /** The variable that names the session too. */
    public static final String SESSION_VARIABLE = "IDEM_SESSION";

    public static final String DRY_RUN = "--dry-run";
    public static final String WAIT = "--wait";
    public static final String CONFIRM = "--confirm-destructive";
    static final String JSON = "--json";
    public static final String JSON_SHAPE = "--json-shape";
    static final String HELP = "--help";

    private static final Set<String> NAMES = Set.of(KEY, SESSION, DRY_RUN, WAIT, CONFIRM, JSON, JSON_SHAPE, HELP);
    private static final Set<String> WITH_VALUE = Set.of(KEY, SESSION, WAIT, JSON_SHAPE);

    private KitOptions() {}

    static void addTo(CommandSpec spec, @Nullable Declaration declaration) {
        if (declaration != null && declaration.mutates()) {
            text(spec, KEY, "KEY", "Names this one operation: a retry sends the same key and changes nothing more.");
            if (declaration.key() == KeyRule.DERIVED) {
                text(
                        spec,
                        SESSION,
                        "ID",
                        "The task this call belongs to. Without a key, one is derived from session, command and "
                                + "arguments. Default: $" + SESSION_VARIABLE + ".");
            }
            flag(spec, DRY_RUN, "Says what would happen, and does nothing.");
            if (declaration.destroys()) {
                flag(spec, CONFIRM, "Required, because this command removes something for good.");
            } else {
                add(
                        spec,
                        OptionSpec.builder(WAIT)
                                .paramLabel("SECONDS")
                                .type(Double.class)
                                .description("How long to wait for a running duplicate; 0 to be told at once."));
            }
        }
        flag(spec, JSON, "Writes one JSON object to stdout, and nothing else; so does a pipe.");
        add(
                spec,
                OptionSpec.builder(JSON_SHAPE)
                        .paramLabel("SHAPE")
                        .type(String.class)
                        .description("envelope (default), or flat with the effect beside the data."));
        if (spec.options().stream().noneMatch(OptionSpec::usageHelp)) {
            add(
                    spec,
                    OptionSpec.builder(HELP)
                            .usageHelp(true)
                            .type(boolean.class)
                            .arity("0")
                            .description("Shows the options of this command."));
        }
    }

    /** Whether the kit has an option of this name, dashes included. */
    public static boolean isName(String name) {
        return NAMES.contains(name);
    }

    /** Whether the option of this name takes a value. */
    public static boolean takesValue(String name) {
        return WITH_VALUE.contains(name);
    }

    /** Whether the kit has added this option. */
    public static boolean isOne(OptionSpec option) {
        return NAMES.contains(option.longestName());
    }

    private static void text(CommandSpec spec, String name, String label, String description) {
        add(spec, OptionSpec.builder(name).paramLabel(label).type(String.class).description(description));
    }

    private static void flag(CommandSpec spec, String name, String description) {
        add(spec, OptionSpec.builder(name).type(boolean.class).arity("0").description(description));
    }

    private static void add(CommandSpec spec, OptionSpec.Builder option) {
        OptionSpec built = option.build();
        if (spec.optionsMap().containsKey(built.longestName())) {
            throw new UndeclaredCommandException("the command '" + Declaration.path(spec) + "' has an option "
                    + built.longestName() + " of its own. The kit adds it: remove it from the command");
        }
        spec.addOption(built);
    }
}
