package dev.idem.cli.syntax;

import dev.idem.command.Shell;
import dev.idem.spi.LedgerUrl;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads a line by the table of its command. */
public final class ArgumentParser {
    private final Syntax syntax;
    private final Map<String, String> values = new HashMap<>();
    private final Map<String, List<String>> repeated = new HashMap<>();
    private final Map<String, String> sources = new HashMap<>();
    private final List<String> operands = new ArrayList<>();
    private @Nullable List<String> command;

    private ArgumentParser(Syntax syntax) {
        this.syntax = syntax;
    }

    /**
     * Reads the words after the command's name.
     *
     * @throws UsageException if a word does not fit the table; the message says what does
     */
    public static Arguments parse(Syntax syntax, List<String> words, Map<String, String> env) {
        ArgumentParser parser = new ArgumentParser(syntax);
        parser.words(words);
        parser.environment(env);
        return parser.arguments();
    }

    private void words(List<String> words) {
        for (int i = 0; i < words.size(); i++) {
            String word = words.get(i);
            if (word.equals("--")) {
                command = words.subList(i + 1, words.size());
                return;
            }
            if (!word.startsWith("-") || word.equals("-")) {
                operand(word);
                continue;
            }
            int equals = word.indexOf('=');
            String spelling = equals < 0 ? word : word.substring(0, equals);
            Option option = syntax.find(spelling);
            if (option == null) {
                throw new UsageException("unknown option " + spelling + Nearest.hint(spelling, spellings())
                        + "; see: idem help " + syntax.name());
            }
            String value;
            if (option.isFlag()) {
                if (equals >= 0) {
                    throw new UsageException(spelling + " takes no value; leave out " + word.substring(equals));
                }
                value = "true";
            } else if (equals >= 0) {
                value = word.substring(equals + 1);
            } else if (i + 1 < words.size() && !words.get(i + 1).equals("--")) {
                value = words.get(++i);
            } else {
                throw new UsageException(spelling + " needs a value: " + spelling + " " + option.argument());
            }
            if (option.repeats()) {
                repeated.computeIfAbsent(option.name(), name -> new ArrayList<>())
                        .add(value);
            } else if (values.put(option.name(), value) != null) {
                throw new UsageException(option.name() + " is given twice; give it once");
            }
            sources.put(option.name(), spelling);
        }
    }

    private void operand(String word) {
        // It may be the URL of a ledger without its option.
        String shown = word.contains("://") ? LedgerUrl.masked(word) : word;
        if (syntax.runs()) {
            throw new UsageException("unexpected '" + shown + "'; write -- before the command: idem " + syntax.name()
                    + (syntax.find("--key") == null ? "" : " --key K") + " -- " + Shell.quote(shown) + " ...");
        }
        if (operands.size() == syntax.mostOperands()) {
            throw new UsageException("unexpected '" + shown + "'; usage: " + syntax.usage());
        }
        operands.add(word);
    }

    private void environment(Map<String, String> env) {
        for (Option option : syntax.options()) {
            String name = option.env();
            String value = name == null ? null : env.get(name);
            // Many tools set an empty variable for "not set".
            if (name == null || value == null || value.isEmpty() || values.containsKey(option.name())) {
                continue;
            }
            if (option.isFlag() && !isOn(name, value)) {
                continue;
            }
            values.put(option.name(), value);
            sources.put(option.name(), name);
        }
    }

    private Arguments arguments() {
        Option instead = syntax.instead();
        boolean replaced = instead != null && values.containsKey(instead.name());
        if (replaced && command != null) {
            throw new UsageException("give one of these, not both: " + syntax.usage());
        } else if (syntax.runs() && !replaced && (command == null || command.isEmpty())) {
            throw new UsageException("there is no command to run; usage: " + syntax.usage());
        }
        if (!syntax.runs() && command != null) {
            command.forEach(this::operand);
        }
        if (operands.size() < syntax.fewestOperands()) {
            throw new UsageException(
                    "there is no " + syntax.operands().get(operands.size()) + "; usage: " + syntax.usage());
        }
        syntax.options().forEach(this::require);
        return new Arguments(
                syntax,
                Map.copyOf(values),
                Map.copyOf(sources),
                Map.copyOf(repeated),
                List.copyOf(operands),
                command == null ? List.of() : List.copyOf(command));
    }

    /** Checks the option before anything is done: an invalid line does nothing at all. */
    private void require(Option option) {
        String value = values.get(option.name());
        if (value == null && option.needed()) {
            throw syntax.lacks(option);
        }
        if (value != null && !option.words().isEmpty() && !option.words().contains(value)) {
            throw new UsageException(sources.getOrDefault(option.name(), option.name()) + ": '" + value
                    + "' is not one of " + String.join(", ", option.words()));
        }
    }

    /** Whether a variable switches its flag on. */
    public static boolean isOn(String name, String value) {
        return switch (value) {
            case "1", "true", "yes", "on" -> true;
            case "0", "false", "no", "off" -> false;
            default -> throw new UsageException(name + ": '" + value + "' is neither 1 nor 0");
        };
    }

    private List<String> spellings() {
        List<String> all = new ArrayList<>();
        for (Option option : syntax.options()) {
            all.add(option.name());
            all.addAll(option.aliases());
        }
        return all;
    }
}
