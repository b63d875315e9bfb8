package dev.idem.cli.upkeep;

import dev.idem.cli.syntax.Arguments;
import dev.idem.cli.syntax.Command;
import dev.idem.cli.syntax.Commands;
import dev.idem.cli.syntax.Option;
import dev.idem.cli.syntax.Options;
import dev.idem.cli.syntax.Syntax;
import dev.idem.cli.syntax.Syntax.Trait;
import dev.idem.cli.syntax.UsageException;
import dev.idem.cli.webhook.Signing;
import dev.idem.command.Answer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** {@code idem completion}: the syntax of all commands, for shells. */
public final class CompletionCommand {
    private static final String WEBHOOK = "webhook";

    public static final Command COMMAND = Syntax.of("completion", "prints the completion script for bash, zsh or fish")
            .takes("SHELL")
            .is(Trait.NATURAL)
            .has(Options.JSON, Options.JSON_SHAPE)
            .does((around, arguments) -> answer(arguments));

    private CompletionCommand() {}

    private static Answer answer(Arguments arguments) {
        String script = script(arguments.operand());
        Map<String, @Nullable Object> data = new LinkedHashMap<>();
        data.put("script", script);
        return Answer.ok(data).text(script);
    }

    /** The script for a shell. */
    public static String script(String shell) {
        return switch (shell) {
            case "bash" -> bash();
            case "zsh" -> "#compdef idem\nautoload -U +X bashcompinit && bashcompinit\n" + bash();
            case "fish" -> fish();
            default -> throw new UsageException("'" + shell + "' is not one of bash, zsh, fish");
        };
    }

    private static String bash() {
        StringBuilder text = new StringBuilder("""
                _idem() {
                    local word=${COMP_WORDS[COMP_CWORD]} last=${COMP_WORDS[COMP_CWORD-1]} words
                    if [ "$COMP_CWORD" -eq 1 ]; then
                        words="COMMANDS"
                    else
                        case "${COMP_WORDS[1]} $last" in
                """.replace("COMMANDS", names() + " help"));
        for (Syntax syntax : Commands.syntaxes()) {
            for (Option option : syntax.options()) {
                if (!option.words().isEmpty()) {
                    line(text, '"' + first(syntax) + " " + option.name() + '"', String.join(" ", option.words()));
                }
            }
            if (isTwoWords(syntax)) {
                // The line as far as it is typed: idem webhook sign
                boolean sends = first(syntax).equals(WEBHOOK);
                line(
                        text,
                        '"' + syntax.name() + '"',
                        (sends ? String.join(" ", Signing.SENDERS) + " " : "") + options(syntax));
            }
        }
        for (String group : groups()) {
            String seconds = Commands.group(group).stream()
                    .map(syntax -> isTwoWords(syntax) ? last(syntax) : options(syntax))
                    .collect(Collectors.joining(" "));
            line(text, '"' + group + " " + group + '"', seconds);
        }
        text.append("            *) case \"${COMP_WORDS[1]} ${COMP_WORDS[2]}\" in\n");
        List<Syntax> longestFirst = new ArrayList<>(Commands.syntaxes());
        // The pattern of a single word also fits the names of two words that begin with it.
        longestFirst.sort(Comparator.comparing(syntax -> !isTwoWords(syntax)));
        for (Syntax syntax : longestFirst) {
            line(text, '"' + syntax.name() + (isTwoWords(syntax) ? '"' : " \"*"), options(syntax));
        }
        return text.append("""
                            esac ;;
                        esac
                    fi
                    COMPREPLY=($(compgen -W "$words" -- "$word"))
                }
                complete -o default -F _idem idem
                """).toString();
    }

    private static void line(StringBuilder text, String pattern, String words) {
        text.append("            ")
                .append(pattern)
                .append(") words=\"")
                .append(words)
                .append("\" ;;\n");
    }

    private static String fish() {
        StringBuilder text = new StringBuilder();
        fish(text, "__fish_use_subcommand", WEBHOOK, "webhooks for tests: sign …");
        for (Syntax syntax : Commands.syntaxes()) {
            String before = isTwoWords(syntax)
                    ? quoted("__fish_seen_subcommand_from " + first(syntax))
                    : "__fish_use_subcommand";
            fish(text, before, last(syntax), syntax.summary());
            for (Option option : syntax.options()) {
                text.append("complete -c idem -n '__fish_seen_subcommand_from ")
                        .append(last(syntax))
                        .append("' -l ")
                        .append(option.name().substring(2))
                        .append(option.isFlag() ? "" : " -r")
                        .append(option.words().isEmpty() ? "" : " -f -a " + quoted(String.join(" ", option.words())))
                        .append(" -d ")
                        .append(quoted(option.help()))
                        .append('\n');
            }
        }
        return text.toString();
    }

    private static void fish(StringBuilder text, String condition, String word, String about) {
        text.append("complete -c idem -n ")
                .append(condition)
                .append(" -a ")
                .append(word)
                .append(" -d ")
                .append(quoted(about))
                .append('\n');
    }

    private static String options(Syntax syntax) {
        return syntax.options().stream().map(Option::name).collect(Collectors.joining(" "));
    }

    private static String first(Syntax syntax) {
        return syntax.name().replaceFirst(" .*", "");
    }

    private static String last(Syntax syntax) {
        return syntax.name().replaceFirst(".* ", "");
    }

    private static boolean isTwoWords(Syntax syntax) {
        return syntax.name().contains(" ");
    }

    /** The first words of the commands of two words. */
    private static Set<String> groups() {
        return Commands.syntaxes().stream()
                .filter(CompletionCommand::isTwoWords)
                .map(CompletionCommand::first)
                .collect(Collectors.toCollection(LinkedHashSet::new));
    }

    private static String quoted(String text) {
        return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'";
    }

    private static String names() {
        return Commands.syntaxes().stream()
                .map(CompletionCommand::first)
                .distinct()
                .collect(Collectors.joining(" "));
    }
}
