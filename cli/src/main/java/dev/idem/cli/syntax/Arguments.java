package dev.idem.cli.syntax;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A parsed line.
 *
 * @param values what the options were given, on the line or by the environment, by the options' names
 * @param sources who gave it: the option as spelled, or the environment variable
 * @param operand the argument the command needs; empty when it takes none
 * @param command the words behind {@code --}
 */
public record Arguments(
        Syntax syntax, Map<String, String> values, Map<String, String> sources, String operand, List<String> command) {

    public boolean isFor(Syntax command) {
        return syntax.name().equals(command.name());
    }

    /** The value, or the option's default; null when there is neither. */
    @Nullable
    public String find(Option option) {
        return values.getOrDefault(option.name(), option.fallback());
    }

    /** The value of an option that has a default. */
    public String value(Option option) {
        String value = find(option);
        if (value == null) {
            throw new UsageException("idem " + syntax.name() + " needs " + option.name() + " " + option.argument()
                    + ": " + option.help());
        }
        return value;
    }

    public boolean flag(Option option) {
        return values.containsKey(option.name());
    }

    /** Whether the option stands on the line itself, so that a suggested command has to repeat it. */
    public boolean onLine(Option option) {
        return values.containsKey(option.name()) && !source(option).equals(option.env());
    }

    /** Who gave the value, for messages. */
    public String source(Option option) {
        return sources.getOrDefault(option.name(), option.name());
    }

    /** One of the words, as its place in the list. */
    public int choice(Option option, List<String> words) {
        String given = value(option);
        int place = words.indexOf(given);
        if (place < 0) {
            throw new UsageException(source(option) + ": '" + given + "' is not one of " + String.join(", ", words));
        }
        return place;
    }
}
