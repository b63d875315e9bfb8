package dev.idem.cli.syntax;

import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * One option of a command. The parser, the help, the manifest, the completions and the environment all read it, so they
 * can't differ.
 *
 * @param name with its dashes: {@code --wait}
 * @param aliases other spellings
 * @param argument what the help calls its value; null for an option that takes none
 * @param env the environment variable that sets it; null where the environment may not
 * @param fallback its value when nobody gives one; null for none
 * @param words the only values it takes; empty for any
 * @param repeats whether it may stand there several times
 * @param needed whether the command can't do without it
 * @param document whether with it a pipe gets the command's natural output, as it does of a plain command
 * @param help one sentence
 */
public record Option(
        String name,
        List<String> aliases,
        @Nullable String argument,
        @Nullable String env,
        @Nullable String fallback,
        List<String> words,
        boolean repeats,
        boolean needed,
        boolean document,
        String help) {

    /** An option with a value, settable by {@code IDEM_} and its name. */
    public static Option of(String name, String argument, @Nullable String fallback, String help) {
        return new Option(name, List.of(), argument, envOf(name), fallback, List.of(), false, false, false, help);
    }

    /** An option that is on or off, settable by {@code IDEM_} and its name. */
    public static Option flag(String name, String help) {
        return new Option(name, List.of(), null, envOf(name), null, List.of(), false, false, false, help);
    }

    public Option withAlias(String alias) {
        return new Option(name, List.of(alias), argument, env, fallback, words, repeats, needed, document, help);
    }

    public Option withEnv(String variable) {
        return new Option(name, aliases, argument, variable, fallback, words, repeats, needed, document, help);
    }

    public Option withoutEnv() {
        return new Option(name, aliases, argument, null, fallback, words, repeats, needed, document, help);
    }

    /** The only values it takes. */
    public Option withWords(String... all) {
        return new Option(name, aliases, argument, env, fallback, List.of(all), repeats, needed, document, help);
    }

    /** May stand there several times; never by the environment. */
    public Option repeating() {
        return new Option(name, aliases, argument, null, fallback, words, true, needed, document, help);
    }

    /** The command can't do without it. */
    public Option asNeeded() {
        return new Option(name, aliases, argument, env, fallback, words, repeats, true, document, help);
    }

    /** With it a pipe gets the command's natural output. */
    public Option asDocument() {
        return new Option(name, aliases, argument, env, fallback, words, repeats, needed, true, help);
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
