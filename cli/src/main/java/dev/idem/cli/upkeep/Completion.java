package dev.idem.cli.upkeep;

import dev.idem.cli.syntax.Arguments;
import dev.idem.cli.syntax.Option;
import dev.idem.cli.syntax.Syntax;
import dev.idem.cli.syntax.Syntaxes;
import dev.idem.cli.syntax.UsageException;
import dev.idem.command.Answer;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** {@code idem completion}: the tables of the commands, for shells. */
public final class Completion {
    private Completion() {}

    public static Answer answer(Arguments arguments) {
        String script = script(arguments.operand());
        Map<String, @Nullable Object> data = new LinkedHashMap<>();
        data.put("script", script);
        return Answer.ok(data).text(script);
    }

    static String script(String shell) {
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
        for (Syntax syntax : Syntaxes.all()) {
            for (Option option : syntax.options()) {
                if (!option.words().isEmpty()) {
                    line(text, syntax.name() + " " + option.name(), String.join(" ", option.words()));
                }
            }
        }
        text.append("            *) case ${COMP_WORDS[1]} in\n");
        for (Syntax syntax : Syntaxes.all()) {
            line(
                    text,
                    syntax.name(),
                    syntax.options().stream().map(Option::name).collect(Collectors.joining(" ")));
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
        text.append("            \"")
                .append(pattern)
                .append("\") words=\"")
                .append(words)
                .append("\" ;;\n");
    }

    private static String fish() {
        StringBuilder text = new StringBuilder();
        for (Syntax syntax : Syntaxes.all()) {
            text.append("complete -c idem -n __fish_use_subcommand -a ")
                    .append(syntax.name())
                    .append(" -d ")
                    .append(quoted(syntax.summary()))
                    .append('\n');
            for (Option option : syntax.options()) {
                text.append("complete -c idem -n '__fish_seen_subcommand_from ")
                        .append(syntax.name())
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

    private static String quoted(String text) {
        return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'";
    }

    private static String names() {
        List<Syntax> all = Syntaxes.all();
        return all.stream().map(Syntax::name).collect(Collectors.joining(" "));
    }
}
