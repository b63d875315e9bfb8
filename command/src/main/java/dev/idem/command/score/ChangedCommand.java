package dev.idem.command.score;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;

/**
 * The command with one argument changed, so that it asks for something else.
 *
 * @param description which argument
 */
record ChangedCommand(List<String> command, String description) {
    static ChangedCommand other(ScoreOptions options) {
        List<String> command = options.command();
        String swap = options.swap();
        if (swap != null) {
            return swapped(command, command.lastIndexOf(ScoreOptions.from(swap)), ScoreOptions.to(swap));
        }
        // A number can most safely be changed; else the last argument that is not an option.
        for (int i = command.size() - 1; i > 0; i--) {
            if (command.get(i).matches("[0-9]{1,18}")) {
                return swapped(
                        command,
                        i,
                        new BigInteger(command.get(i)).add(BigInteger.ONE).toString());
            }
        }
        for (int i = command.size() - 1; i > 0; i--) {
            if (!command.get(i).startsWith("-")) {
                return swapped(command, i, command.get(i) + "-other");
            }
        }
        throw new ScoreRefused("USAGE", "the command has no argument that could be another one; give one it takes");
    }

    private static ChangedCommand swapped(List<String> command, int index, String value) {
        List<String> words = new ArrayList<>(command);
        words.set(index, value);
        return new ChangedCommand(List.copyOf(words), command.get(index) + " → " + value);
    }
}
