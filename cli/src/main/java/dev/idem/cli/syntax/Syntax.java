package dev.idem.cli.syntax;

import dev.idem.command.Danger;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The syntax of one command. A command builds it with {@link #of} and the methods that add to it.
 *
 * @param name the word after {@code idem}
 * @param summary in one sentence
 * @param operands the names of its arguments in the help: optional ones in brackets, a repeatable last one with three
 *     dots
 * @param runs whether it takes a command to run after {@code --}
 * @param instead an option that takes the place of that command; null for none
 * @param traits the properties that the code around the command goes by
 * @param exits the possible exit codes
 * @param notes the text of the help below the options
 */
public record Syntax(
        String name,
        String summary,
        List<String> operands,
        boolean runs,
        @Nullable Option instead,
        List<Trait> traits,
        Danger danger,
        List<Option> options,
        List<Integer> exits,
        String notes) {
    /** A property of a command. */
    public enum Trait {
        /** A pipe gets its natural output, and the JSON object only on request. */
        NATURAL,
        /** A pipe gets a line for each item as it comes, and the envelope last. */
        STREAMS,
        /** It only reads the ledger. */
        LOOKS,
        /** It waits for the first entry, so it creates a default ledger that does not exist yet. */
        WAITS,
        /** It acts on the entries that it reads, so it must be able to read them whole. */
        READS_ALL,
        /** It checks each step: after an interruption the same call does the rest. */
        RESUMES,
        /** Its exit code is that of the command it runs. */
        PASSES_EXIT_ON,
        /** The specification fixes the members of its answer. */
        FIXED_MEMBERS
    }

    private static final String REPEATS = "...";
    private static final List<Integer> OF_ALL = List.of(0, 1, 2);
    private static final List<Integer> SIGNALS = List.of(130, 143);

    /** A read-only command without options that ends with 0, 1, 2, or by a signal. */
    public static Syntax of(String name, String summary) {
        return new Syntax(
                name, summary, List.of(), false, null, List.of(), Danger.SAFE, List.of(), joined(OF_ALL, SIGNALS), "");
    }

    public Syntax takes(String... given) {
        return new Syntax(name, summary, List.of(given), runs, instead, traits, danger, options, exits, notes);
    }

    /** It takes a command to run after {@code --}. */
    public Syntax running() {
        return new Syntax(name, summary, operands, true, instead, traits, danger, options, exits, notes);
    }

    /** It takes a command to run after {@code --}, or this option. */
    public Syntax runningUnless(Option other) {
        return new Syntax(name, summary, operands, true, other, traits, danger, options, exits, notes);
    }

    public Syntax is(Trait... given) {
        return new Syntax(name, summary, operands, runs, instead, List.of(given), danger, options, exits, notes);
    }

    public Syntax is(Danger given, Trait... more) {
        return new Syntax(name, summary, operands, runs, instead, List.of(more), given, options, exits, notes);
    }

    public Syntax has(Option... more) {
        return has(List.of(more));
    }

    public Syntax has(List<Option> some, Option... more) {
        List<Option> all = joined(options, joined(some, List.of(more)));
        return new Syntax(name, summary, operands, runs, instead, traits, danger, all, exits, notes);
    }

    /** Adds exit codes. */
    public Syntax ends(Integer... more) {
        List<Integer> own = exits.subList(0, exits.size() - SIGNALS.size());
        List<Integer> all = joined(joined(own, List.of(more)), SIGNALS);
        return new Syntax(name, summary, operands, runs, instead, traits, danger, options, all, notes);
    }

    public Syntax explained(String text) {
        return new Syntax(name, summary, operands, runs, instead, traits, danger, options, exits, text);
    }

    /** The command with this syntax and this code. */
    public Command does(Command.Code code) {
        return new Command(this, code);
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

    public boolean has(Trait trait) {
        return traits.contains(trait);
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
