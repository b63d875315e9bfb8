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
 * @param argument the name of its value in the help; null for an option without a value
 * @param env the environment variable that sets it; null for none
 * @param fallback its value when none is given; null for none
 * @param words the only values it takes; empty for any
 * @param repeats whether it may be given several times
 * @param needed whether it is required
 * @param document whether a pipe then gets the command's natural output, as with a plain command
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

    /** An option with a value and a default. */
    public static Option of(String name, String argument, @Nullable String fallback, String help) {
        return new Option(name, List.of(), argument, null, fallback, List.of(), false, false, false, help);
    }

    /** An option with a value. */
    public static Option of(String name, String argument, String help) {
        return of(name, argument, null, help);
    }

    /** An option that is on or off. */
    public static Option flag(String name, String help) {
        return new Option(name, List.of(), null, null, null, List.of(), false, false, false, help);
    }

    public Option withAlias(String alias) {
        return new Option(name, List.of(alias), argument, env, fallback, words, repeats, needed, document, help);
    }

    /** The environment may set it too, by {@code IDEM_} and its name. */
    public Option byEnv() {
        return byEnv("IDEM_" + name.substring(2).replace('-', '_').toUpperCase(Locale.ROOT));
    }

    public Option byEnv(String variable) {
        return new Option(name, aliases, argument, variable, fallback, words, repeats, needed, document, help);
    }

    /** The only values it takes. */
    public Option withWords(String... all) {
        return new Option(name, aliases, argument, env, fallback, List.of(all), repeats, needed, document, help);
    }

    /** May be given several times. */
    public Option repeating() {
        return new Option(name, aliases, argument, env, fallback, words, true, needed, document, help);
    }

    /** It is required. */
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
}
