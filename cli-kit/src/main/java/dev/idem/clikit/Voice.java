package dev.idem.clikit;

import dev.idem.Json;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Says an answer: one JSON object on stdout, or lines for people. */
final class Voice {
    private final String program;
    private final OutputStream out;
    private final OutputStream err;
    private final boolean terminal;

    Voice(String program, OutputStream out, OutputStream err, boolean terminal) {
        this.program = program;
        this.out = out;
        this.err = err;
        this.terminal = terminal;
    }

    /**
     * Says it.
     *
     * @param words the line, which is searched for the wish for JSON: one that can't be parsed is answered in JSON too
     */
    void say(Answer answer, List<String> words, long millis) {
        Shape shape = shape(words);
        String text = answer.text();
        if (shape != null && (text == null || asksForJson(words))) {
            write(out, Json.write(shape.of(answer, millis)) + "\n");
        } else if (text != null) {
            write(out, text);
        } else {
            people(answer);
        }
    }

    private void people(Answer answer) {
        Problem problem = answer.problem();
        if (problem != null) {
            write(err, program + ": " + problem.text("message") + "\n");
            for (String more : List.of("fix_required", "fix_command", "suggestion")) {
                if (problem.has(more)) {
                    write(err, "  " + more.replace('_', ' ') + ": " + problem.text(more) + "\n");
                }
            }
        } else {
            write(out, HumanText.of(answer));
        }
        for (Map<String, String> warning : answer.warnings()) {
            write(err, program + ": warning: " + warning.get("message") + "\n");
        }
    }

    /** The shape that is asked for; null for lines for people. */
    private @Nullable Shape shape(List<String> words) {
        boolean flat = false;
        List<String> options = options(words);
        for (int i = 0; i < options.size(); i++) {
            String word = options.get(i);
            String value = word.startsWith(KitOptions.JSON_SHAPE + "=")
                    ? word.substring(KitOptions.JSON_SHAPE.length() + 1)
                    : word.equals(KitOptions.JSON_SHAPE) && i + 1 < options.size() ? options.get(i + 1) : "";
            flat |= value.toLowerCase(Locale.ROOT).equals("flat");
        }
        if (flat) {
            return Shape.FLAT;
        }
        return terminal && !asksForJson(words) ? null : Shape.ENVELOPE;
    }

    private static boolean asksForJson(List<String> words) {
        for (String word : options(words)) {
            if (word.equals(KitOptions.JSON)
                    || word.equals(KitOptions.JSON_SHAPE)
                    || word.startsWith(KitOptions.JSON_SHAPE + "=")) {
                return true;
            }
        }
        return false;
    }

    private static List<String> options(List<String> words) {
        int end = words.indexOf("--");
        return end < 0 ? words : words.subList(0, end);
    }

    private static void write(OutputStream stream, String text) {
        try {
            stream.write(text.getBytes(StandardCharsets.UTF_8));
            stream.flush();
        } catch (IOException e) {
            // Nobody listens any more; the exit code still tells.
            return;
        }
    }
}
