package dev.idem.cli.syntax;

import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * One option of a command. The parser, the help and the environment all read it, so they can't differ.
 *
 * @param name with its dashes: {@code --wait}
 * @param aliases other spellings
 * @param argument what the help calls its value; null for an option that takes none
 * @param env the environment variable that sets it; null where the environment may not
 * @param fallback its value when nobody gives one; null for none
 * @param help one sentence
 */
public record Option(
        String name,
        List<String> aliases,
        @Nullable String argument,
        @Nullable String env,
        @Nullable String fallback,
        String help) {

    /** An option with a value, settable by {@code IDEM_} and its name. */
    public static Option of(String name, String argument, @Nullable String fallback, String help) {
        return new Option(name, List.of(), argument, envOf(name), fallback, help);
    }

    /** An option that is on or off, settable by {@code IDEM_} and its name. */
    public static Option flag(String name, String help) {
        return new Option(name, List.of(), null, envOf(name), null, help);
    }

    public Option withAlias(String alias) {
        return new Option(name, List.of(alias), argument, env, fallback, help);
    }

    public Option withEnv(String variable) {
        return new Option(name, aliases, argument, variable, fallback, help);
    }

    public Option withoutEnv() {
        return new Option(name, aliases, argument, null, fallback, help);
    }

    public boolean isFlag() {
        return argument == null;
    }

    public boolean isCalled(String spelling) {
        return name.equals(spelling) || aliases.contains(spelling);
    }

    private static String envOf(String name) {
        return "IDEM_" + name.substring(2).replace('-', '_').toUpperCase(Locale.ROOT);
    }
}
