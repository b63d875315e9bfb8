package dev.idem.clikit.call;

import dev.idem.command.Answer;
import dev.idem.command.Printable;
import dev.idem.command.Shape;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Writes an answer: one JSON object on stdout, or lines for people.
 *
 * @param people whether a person reads stdout
 */
public record Voice(String program, OutputStream out, OutputStream err, boolean people) {
    /** Writes the answer to a line. A line that can't be parsed is answered in JSON too, if it asks for that. */
    public void say(Answer answer, List<String> line, long millis) {
        Shape asked = Shape.askedFor(line);
        Shape shape = asked != null ? asked : people || answer.isDocument() ? Shape.TEXT : Shape.ENVELOPE;
        write(out, shape.of(answer, millis));
        if (shape == Shape.TEXT) {
            answer.lines().forEach(each -> write(err, program + ": " + Printable.text(each) + "\n"));
            Map<String, @Nullable Object> error = answer.error();
            for (String more : List.of("fix_required", "fix_command", "suggestion")) {
                if (error != null && error.get(more) instanceof String text) {
                    write(err, "  " + more.replace('_', ' ') + ": " + Printable.text(text) + "\n");
                }
            }
        }
    }

    private static void write(OutputStream stream, String text) {
        try {
            stream.write(text.getBytes(StandardCharsets.UTF_8));
            stream.flush();
        } catch (IOException e) {
            // The reader has gone. The exit code still shows the outcome.
            return;
        }
    }
}
