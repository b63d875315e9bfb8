package dev.idem.cli;

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
record Option(
        String name,
        List<String> aliases,
        @Nullable String argument,
        @Nullable String env,
        @Nullable String fallback,
        String help) {

    /** An option with a value, settable by {@code IDEM_} and its name. */
    static Option of(String name, String argument, @Nullable String fallback, String help) {
        return new Option(name, List.of(), argument, envOf(name), fallback, help);
    }

    /** An option that is on or off, settable by {@code IDEM_} and its name. */
    static Option flag(String name, String help) {
        return new Option(name, List.of(), null, envOf(name), null, help);
    }

    Option withAlias(String alias) {
        return new Option(name, List.of(alias), argument, env, fallback, help);
    }

    Option withEnv(String variable) {
        return new Option(name, aliases, argument, variable, fallback, help);
    }

    Option withoutEnv() {
        return new Option(name, aliases, argument, null, fallback, help);
    }

    boolean isFlag() {
        return argument == null;
    }

    boolean isCalled(String spelling) {
        return name.equals(spelling) || aliases.contains(spelling);
    }

    private static String envOf(String name) {
        return "IDEM_" + name.substring(2).replace('-', '_').toUpperCase(Locale.ROOT);
    }
}
