package dev.idem.cli.syntax;

import dev.idem.command.ExitCode;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** Makes the help from the syntax of the commands. */
public final class Help {
    private static final int WIDTH = 100;
    private static final int INDENT = 26;

    private Help() {}

    public static String overview() {
        StringBuilder text = new StringBuilder();
        text.append("idem makes a command happen once: run it twice, get the same result.\n\n");
        for (Syntax syntax : Commands.syntaxes()) {
            text.append("  ").append(syntax.usage()).append('\n');
            wrap(text, syntax.summary(), 6, 6);
        }
        text.append("  idem help [COMMAND]\n      shows the options of a command\n");
        text.append("  idem --version\n\n");
        text.append("Example:\n  idem run --key order-42 --failed-exits curl -- \\\n"
                + "      curl -fsS -X POST https://shop.example/orders -d @order.json\n");
        return text.toString();
    }

    /** The help of several commands. */
    public static String of(List<Syntax> group) {
        return group.stream().map(Help::of).collect(Collectors.joining("\n"));
    }

    public static String of(Syntax syntax) {
        StringBuilder text = new StringBuilder();
        wrap(text, "idem " + syntax.name() + ": " + syntax.summary() + ".", 0, 0);
        text.append("\nUsage: ").append(syntax.usage()).append("\n\nOptions:\n");
        for (Option option : syntax.options()) {
            describe(text, option);
        }
        text.append('\n').append(syntax.notes());
        if (!syntax.has(Syntax.Trait.PASSES_EXIT_ON)) {
            text.append(syntax.notes().isEmpty() ? "" : "\n").append("Exit codes:\n");
            syntax.exits()
                    .forEach(code -> text.append(String.format(
                            Locale.ROOT, "  %3d  %s%n", code, ExitCode.of(code).meaning())));
        }
        return text.toString();
    }

    private static void describe(StringBuilder text, Option option) {
        String value = option.argument() == null ? "" : " " + option.argument();
        int start = text.length();
        text.append("  ").append(option.name()).append(value);
        for (String alias : option.aliases()) {
            text.append(", ").append(alias).append(value);
        }
        int width = text.length() - start;
        if (width > INDENT - 2) {
            text.append('\n');
            width = 0;
        }
        String help = option.help()
                + (option.fallback() == null || option.fallback().isEmpty()
                        ? ""
                        : " (default: " + option.fallback() + ")")
                + (option.env() == null ? "" : " [" + option.env() + "]");
        wrap(text, help, INDENT - width, INDENT);
    }

    /** Appends the words, broken into lines; the first is indented by {@code first}, the others by {@code rest}. */
    private static void wrap(StringBuilder text, String words, int first, int rest) {
        text.append(" ".repeat(first));
        int column = rest;
        String gap = "";
        for (String word : words.split(" ", -1)) {
            if (column + gap.length() + word.length() > WIDTH && !gap.isEmpty()) {
                text.append('\n').append(" ".repeat(rest));
                column = rest;
                gap = "";
            }
            text.append(gap).append(word);
            column += gap.length() + word.length();
            gap = " ";
        }
        text.append('\n');
    }
}
