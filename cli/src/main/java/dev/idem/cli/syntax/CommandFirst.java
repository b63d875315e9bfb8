package dev.idem.cli.syntax;

import java.util.ArrayList;
import java.util.List;

/**
 * Allows options before the command, as in {@code idem --json ls}. They are moved after its name, and a name of two words
 * becomes one word.
 */
public final class CommandFirst {
    private static final List<String> WORDS_THAT_ARE_COMMANDS = List.of("--help", "-h", "--version");

    private CommandFirst() {}

    /** The same words with the command first. Words without a command stay unchanged. */
    public static List<String> of(List<String> words) {
        List<String> moved = moved(words);
        if (moved.isEmpty() || !Commands.isGroup(moved.get(0))) {
            return moved;
        }
        for (int i = 1; i < moved.size() && !moved.get(i).equals("--"); i += takesNext(moved.get(i)) ? 2 : 1) {
            String name = moved.get(0) + " " + moved.get(i);
            if (Commands.names().contains(name)) {
                List<String> joined = new ArrayList<>(moved);
                joined.remove(i);
                joined.set(0, name);
                return joined;
            } else if (!isOption(moved.get(i))) {
                return moved;
            }
        }
        return moved;
    }

    private static List<String> moved(List<String> words) {
        int command = 0;
        while (command < words.size() && isOption(words.get(command))) {
            command += takesNext(words.get(command)) ? 2 : 1;
        }
        if (command == 0 || command >= words.size() || words.get(command).equals("--")) {
            return words;
        }
        List<String> moved = new ArrayList<>(words);
        moved.add(0, moved.remove(command));
        return moved;
    }

    private static boolean isOption(String word) {
        return word.startsWith("-") && !word.equals("--") && !WORDS_THAT_ARE_COMMANDS.contains(word);
    }

    /** Whether the next word is the value of this option. An option has the same form in all commands. */
    private static boolean takesNext(String word) {
        for (Syntax syntax : Commands.syntaxes()) {
            Option option = syntax.find(word);
            if (option != null) {
                return !option.isFlag();
            }
        }
        return false;
    }
}
