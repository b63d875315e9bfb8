package dev.idem.cli.syntax;

import dev.idem.cli.around.Surroundings;
import dev.idem.command.Answer;
import java.io.IOException;

/** A command of {@code idem}: its syntax, from which the help is made too, and its code. */
public record Command(Syntax syntax, Code code) {
    /** The work of a command. */
    @FunctionalInterface
    public interface Code {
        Answer run(Surroundings around, Arguments arguments) throws IOException;
    }
}
