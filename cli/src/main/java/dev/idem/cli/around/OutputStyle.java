package dev.idem.cli.around;

import dev.idem.command.Terminal;
import java.util.Map;

/**
 * The rendering of output: for a terminal, with a progress bar, in colour.
 *
 * @param people whether stdout is a terminal
 * @param progress whether stderr is one, so that a line may be written over
 * @param colours whether colours are wanted
 */
public record OutputStyle(boolean people, boolean progress, boolean colours) {
    /** A pipe. */
    public static OutputStyle plain() {
        return new OutputStyle(false, false, false);
    }

    /** The style for the streams of this process. */
    public static OutputStyle system(Map<String, String> env) {
        boolean people = Terminal.is(1);
        boolean colours = people
                && env.getOrDefault("NO_COLOR", "").isEmpty()
                && !env.getOrDefault("TERM", "dumb").equals("dumb");
        return new OutputStyle(people, Terminal.is(2), colours);
    }

    /** The text in a colour, given by its terminal code; unchanged without colours. */
    public String colour(int number, String text) {
        return colours ? "\u001b[" + number + "m" + text + "\u001b[0m" : text;
    }
}
