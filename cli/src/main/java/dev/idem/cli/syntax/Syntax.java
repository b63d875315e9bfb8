package dev.idem.cli.syntax;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What may stand on the line of one command.
 *
 * @param name the word behind {@code idem}
 * @param summary what it does, in one sentence
 * @param operands what the help calls its arguments, those that may be left out in brackets, the
 *     last with three dots where it may be repeated
 * @param runs whether a command to run stands behind {@code --}
 * @param plain whether a pipe gets its natural output, and the JSON object only where it is asked for
 * @param exits the exit codes it may end with
 * @param notes what the help says below the options
 */
public record Syntax(
        String name,
        String summary,
        List<String> operands,
        boolean runs,
        boolean plain,
        Danger danger,
        List<Option> options,
        List<Integer> exits,
        String notes) {
    private static final String REPEATS = "...";
    private static final List<Integer> SIGNALS = List.of(130, 143);

    /** Adds the exits of signals, which may end any command. */
    public Syntax {
        if (!exits.containsAll(SIGNALS)) {
            List<Integer> all = new ArrayList<>(exits);
            all.removeAll(SIGNALS);
            all.addAll(SIGNALS);
            exits = List.copyOf(all);
        }
    }

    public String usage() {
        StringBuilder usage = new StringBuilder("idem ").append(name);
        operands.forEach(operand -> usage.append(' ').append(operand));
        if (runs && find("--key") != null) {
            usage.append(" --key K");
        }
        return usage.append(" [options]")
                .append(runs ? " -- COMMAND [ARGUMENT...]" : "")
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

    /** How many arguments it takes: any number where the last one repeats. */
    int mostOperands() {
        boolean repeats =
                !operands.isEmpty() && operands.get(operands.size() - 1).endsWith(REPEATS);
        return repeats ? Integer.MAX_VALUE : operands.size();
    }

    /** How many arguments it needs. */
    int fewestOperands() {
        int fewest = 0;
        for (String operand : operands) {
            fewest += operand.startsWith("[") ? 0 : 1;
        }
        return fewest;
    }

    /** What is said where an option is missing. */
    UsageException lacks(Option option) {
        return new UsageException(
                name + " needs " + option.name() + " " + option.argument() + " (" + option.help() + ")");
    }
}
