package dev.idem.cli.syntax;

import dev.idem.command.Danger;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The syntax of one command. The tables build it with {@link #of} and the methods that add to it.
 *
 * @param name the word after {@code idem}
 * @param summary in one sentence
 * @param operands the names of its arguments in the help: optional ones in brackets, a repeatable last one with three
 *     dots
 * @param runs whether it takes a command to run after {@code --}
 * @param instead an option that takes the place of that command; null for none
 * @param plain whether a pipe gets its natural output, and the JSON object only on request
 * @param exits the possible exit codes
 * @param notes the text of the help below the options
 */
public record Syntax(
        String name,
        String summary,
        List<String> operands,
        boolean runs,
        @Nullable Option instead,
        boolean plain,
        Danger danger,
        List<Option> options,
        List<Integer> exits,
        String notes) {
    private static final String REPEATS = "...";
    private static final List<Integer> OF_ALL = List.of(0, 1, 2);
    private static final List<Integer> SIGNALS = List.of(130, 143);

    /** A read-only command without options that ends with 0, 1, 2, or by a signal. */
    static Syntax of(String name, String summary) {
        return new Syntax(
                name, summary, List.of(), false, null, false, Danger.SAFE, List.of(), joined(OF_ALL, SIGNALS), "");
    }

    Syntax takes(String... given) {
        return new Syntax(name, summary, List.of(given), runs, instead, plain, danger, options, exits, notes);
    }

    /** It takes a command to run after {@code --}. */
    Syntax running() {
        return new Syntax(name, summary, operands, true, instead, plain, danger, options, exits, notes);
    }

    /** It takes a command to run after {@code --}, or this option. */
    Syntax runningUnless(Option other) {
        return new Syntax(name, summary, operands, true, other, plain, danger, options, exits, notes);
    }

    /** A pipe gets its natural output. */
    Syntax natural() {
        return new Syntax(name, summary, operands, runs, instead, true, danger, options, exits, notes);
    }

    Syntax is(Danger given) {
        return new Syntax(name, summary, operands, runs, instead, plain, given, options, exits, notes);
    }

    Syntax has(Option... more) {
        return has(List.of(more));
    }

    Syntax has(List<Option> more) {
        return new Syntax(name, summary, operands, runs, instead, plain, danger, joined(options, more), exits, notes);
    }

    /** Adds exit codes. */
    Syntax ends(Integer... more) {
        List<Integer> own = exits.subList(0, exits.size() - SIGNALS.size());
        List<Integer> all = joined(joined(own, List.of(more)), SIGNALS);
        return new Syntax(name, summary, operands, runs, instead, plain, danger, options, all, notes);
    }

    Syntax explained(String text) {
        return new Syntax(name, summary, operands, runs, instead, plain, danger, options, exits, text);
    }

    private static <T> List<T> joined(List<T> first, List<T> more) {
        List<T> all = new ArrayList<>(first);
        all.addAll(more);
        return List.copyOf(all);
    }

    public String usage() {
        StringBuilder usage = new StringBuilder("idem ").append(name);
        operands.forEach(operand -> usage.append(' ').append(operand));
        if (runs && find("--key") != null) {
            usage.append(" --key K");
        }
        return usage.append(" [options]")
                .append(runs ? " -- COMMAND [ARGUMENT...]" : "")
                .append(instead == null ? "" : " | " + instead.name() + " " + instead.argument())
                .toString();
    }

    @Nullable
    public Option find(String spelling) {
        for (Option option : options) {
            if (option.isCalled(spelling)) {
                return option;
            }
        }
        return null;
    }

    /** Whether the command takes this option. */
    public boolean knows(Option option) {
        return find(option.name()) != null;
    }

    /** The maximum number of arguments: no limit if the last one repeats. */
    int mostOperands() {
        boolean repeats =
                !operands.isEmpty() && operands.get(operands.size() - 1).endsWith(REPEATS);
        return repeats ? Integer.MAX_VALUE : operands.size();
    }

    /** The number of required arguments. */
    int fewestOperands() {
        return (int)
                operands.stream().filter(operand -> !operand.startsWith("[")).count();
    }

    /** The error for a missing option. */
    UsageException lacks(Option option) {
        return new UsageException(
                name + " needs " + option.name() + " " + option.argument() + " (" + option.help() + ")");
    }
}
