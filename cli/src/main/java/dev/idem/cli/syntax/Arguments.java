package dev.idem.cli.syntax;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A parsed line.
 *
 * @param values of the options by name, from the line or the environment
 * @param sources of the values: the option as spelled, or the environment variable
 * @param repeated the values of repeatable options
 * @param operands the arguments of the command
 * @param command the words after {@code --}
 */
public record Arguments(
        Syntax syntax,
        Map<String, String> values,
        Map<String, String> sources,
        Map<String, List<String>> repeated,
        List<String> operands,
        List<String> command) {

    /** The first argument; empty when there is none. */
    public String operand() {
        return operands.isEmpty() ? "" : operands.get(0);
    }

    /** All values of a repeatable option. */
    public List<String> all(Option option) {
        return repeated.getOrDefault(option.name(), List.of());
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
            throw syntax.lacks(option);
        }
        return value;
    }

    public boolean flag(Option option) {
        return values.containsKey(option.name());
    }

    /** Refuses a line that removes something for good, unless it is confirmed or a dry run. */
    public void requireYes(String why) {
        if (!flag(Options.YES) && !flag(Options.DRY_RUN)) {
            throw new UsageException(why + "; add " + Options.YES.name() + " to confirm, or " + Options.DRY_RUN.name()
                    + " to see what would be removed");
        }
    }

    /** Whether the option is on the line itself, so that a suggested command must repeat it. */
    public boolean onLine(Option option) {
        return values.containsKey(option.name()) && !source(option).equals(option.env());
    }

    /** The same line with this option on it. */
    public Arguments with(Option option, String value) {
        Map<String, String> more = new HashMap<>(values);
        more.put(option.name(), value);
        Map<String, String> from = new HashMap<>(sources);
        from.put(option.name(), option.name());
        return new Arguments(syntax, more, from, repeated, operands, command);
    }

    /** The source of the value, for messages: the option as spelled, or the environment variable. */
    public String source(Option option) {
        return sources.getOrDefault(option.name(), option.name());
    }

    /** The index of the chosen word; the parser has checked that it is valid. */
    public int choice(Option option) {
        return option.words().indexOf(value(option));
    }

    /** A whole number within bounds. */
    public int number(Option option, int least, int most) {
        String given = value(option);
        try {
            int number = Integer.parseInt(given);
            if (number >= least && number <= most) {
                return number;
            }
        } catch (NumberFormatException e) {
            throw new UsageException(source(option) + ": '" + given + "' is no number");
        }
        throw new UsageException(source(option) + ": " + given + " is not between " + least + " and " + most);
    }
}
