package dev.idem.clikit.line;

import dev.idem.JsonException;
import dev.idem.clikit.Content;
import dev.idem.clikit.Incidental;
import dev.idem.clikit.program.Declaration;
import dev.idem.clikit.program.KitOptions;
import dev.idem.internal.json.JsonValues;
import java.lang.annotation.Annotation;
import java.lang.reflect.AnnotatedElement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.PicocliException;

/**
 * The arguments of a line, defaults included, so that {@code --amount 100}, {@code --amount=100} and a default of 100 are
 * the same call.
 *
 * @param identity the fields that identify the operation
 * @param content the fields that may be reworded
 */
public record GivenArguments(Map<String, @Nullable Object> identity, Map<String, @Nullable Object> content) {
    static GivenArguments of(ParsedLine line) {
        Map<String, @Nullable Object> identity = new TreeMap<>();
        Map<String, @Nullable Object> content = new TreeMap<>();
        for (CommandSpec at = line.spec(); at != null; at = at.parent()) {
            for (ArgSpec argument : at.args()) {
                if (counts(argument)) {
                    boolean free = marked(argument, Content.class);
                    (free ? content : identity).put(name(at, argument), value(argument));
                }
            }
            if (!at.argGroups().isEmpty()) {
                // A group may occur several times, and its members then hold only the last values.
                identity.put(Declaration.path(at) + " (groups)", wordsOf(line));
            }
        }
        return new GivenArguments(identity, content);
    }

    private static boolean counts(ArgSpec argument) {
        boolean ours = argument instanceof OptionSpec option
                && (KitOptions.isOne(option) || option.usageHelp() || option.versionHelp());
        return !ours && argument.group() == null && !argument.interactive() && !marked(argument, Incidental.class);
    }

    private static boolean marked(ArgSpec argument, Class<? extends Annotation> mark) {
        return argument.userObject() instanceof AnnotatedElement element && element.isAnnotationPresent(mark);
    }

    private static String name(CommandSpec at, ArgSpec argument) {
        String own = argument instanceof OptionSpec option
                ? option.longestName()
                : ((PositionalParamSpec) argument).index() + ":" + argument.paramLabel();
        return at.parent() == null ? own : Declaration.path(at) + " " + own;
    }

    private static @Nullable Object value(ArgSpec argument) {
        try {
            return JsonValues.of(argument.<@Nullable Object>getValue());
        } catch (JsonException | PicocliException e) {
            // Files, URLs and the author's own types: compared by the typed text.
            return List.copyOf(argument.stringValues());
        }
    }

    private static List<String> wordsOf(ParsedLine line) {
        List<String> words = new ArrayList<>();
        boolean skip = false;
        for (String word : line.words()) {
            String name = word.split("=", 2)[0];
            OptionSpec option = line.spec().optionsMap().get(name);
            if (skip || option == null || !KitOptions.isOne(option)) {
                if (!skip) {
                    words.add(word);
                }
                skip = false;
            } else {
                skip = option.arity().max() > 0 && !word.contains("=");
            }
        }
        return words;
    }
}
