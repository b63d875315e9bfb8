package dev.idem.cli.upkeep;

import dev.idem.cli.syntax.Commands;
import dev.idem.cli.syntax.Option;
import dev.idem.cli.syntax.Syntax;
import dev.idem.command.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;

/** Writes the additional files of a distribution: completions and a man page. Called by the build. */
public final class Papers {
    private Papers() {}

    /** Takes the folder to write into. */
    public static void main(String[] args) throws IOException {
        Path folder = Path.of(args[0]);
        write(folder.resolve("bash-completion/completions/idem"), CompletionCommand.script("bash"));
        write(folder.resolve("zsh/site-functions/_idem"), CompletionCommand.script("zsh"));
        write(folder.resolve("fish/vendor_completions.d/idem.fish"), CompletionCommand.script("fish"));
        write(folder.resolve("man/man1/idem.1"), manPage());
    }

    private static void write(Path file, String text) throws IOException {
        Files.createDirectories(Objects.requireNonNull(file.getParent()));
        Files.writeString(file, text);
    }

    private static String manPage() {
        StringBuilder page =
                new StringBuilder(".TH IDEM 1\n.SH NAME\nidem \\- makes a command happen once\n.SH SYNOPSIS\n");
        for (Syntax syntax : Commands.syntaxes()) {
            page.append(".B ").append(escaped(syntax.usage())).append("\n.br\n");
        }
        page.append(".SH DESCRIPTION\nRun it twice, get the same result. If it is unknown whether a command took "
                + "effect, idem says so and never silently runs it again.\n.SH COMMANDS\n");
        for (Syntax syntax : Commands.syntaxes()) {
            page.append(".SS ").append(escaped(syntax.name())).append('\n');
            page.append(escaped(sentence(syntax.summary()))).append('\n');
            syntax.options().forEach(option -> describe(page, option));
            if (!syntax.notes().isEmpty()) {
                page.append(".PP\n.nf\n")
                        .append(escaped(syntax.notes().strip()))
                        .append("\n.fi\n");
            }
        }
        page.append(".SH EXIT STATUS\n");
        for (ExitCode code : ExitCode.values()) {
            page.append(".TP\n").append(code.number()).append('\n');
            page.append(escaped(sentence(code.meaning()))).append('\n');
        }
        return page.append("""
                        .SH FILES
                        .TP
                        $XDG_STATE_HOME/idem/idem.db, ~/.local/state/idem/idem.db
                        The ledger, unless \\-\\-ledger or IDEM_LEDGER names another.
                        """).toString();
    }

    private static void describe(StringBuilder page, Option option) {
        page.append(".TP\n.B ").append(escaped(option.name()));
        page.append(option.isFlag() ? "" : " " + escaped(String.valueOf(option.argument())))
                .append('\n');
        page.append(escaped(sentence(option.help())));
        page.append(option.fallback() == null ? "" : " Default: " + escaped(option.fallback()) + ".");
        page.append(option.env() == null ? "\n" : " Environment: " + option.env() + ".\n");
    }

    private static String sentence(String text) {
        return Character.toUpperCase(text.charAt(0)) + text.substring(1) + (text.endsWith(".") ? "" : ".");
    }

    /** Escapes a line that begins with a dot or a quote, which would be a command. */
    private static String escaped(String text) {
        String plain = text.replace("\\", "\\e").replace("-", "\\-");
        return plain.replaceAll("(?m)^([.'])", "\\\\&$1");
    }
}
