package dev.idem.clikit;

import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/**
 * Allows options of the kit before the command, as in {@code orders --idempotency-key k create-order}. They are moved
 * after the command's name, where picocli expects them.
 */
final class CommandFirst {
    private CommandFirst() {}

    static List<String> of(CommandSpec top, List<String> words) {
        List<String> kept = new ArrayList<>();
        List<String> moved = new ArrayList<>();
        int at = 0;
        while (at < words.size()
                && words.get(at).startsWith("-")
                && !words.get(at).equals("--")) {
            String word = words.get(at);
            int equals = word.indexOf('=');
            String name = equals < 0 ? word : word.substring(0, equals);
            OptionSpec own = top.findOption(name);
            boolean takesNext = equals < 0
                    && (own == null ? KitOptions.takesValue(name) : own.arity().min() > 0);
            int end = Math.min(words.size(), at + (takesNext ? 2 : 1));
            (own == null && KitOptions.isName(name) ? moved : kept).addAll(words.subList(at, end));
            at = end;
        }
        if (moved.isEmpty()) {
            return words;
        }
        CommandLine command = at < words.size() ? top.subcommands().get(words.get(at)) : null;
        while (command != null) {
            kept.add(words.get(at++));
            command = at < words.size() ? command.getSubcommands().get(words.get(at)) : null;
        }
        kept.addAll(moved);
        kept.addAll(words.subList(at, words.size()));
        return kept;
    }
}
