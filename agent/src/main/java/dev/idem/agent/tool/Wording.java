package dev.idem.agent.tool;

import dev.idem.Json;
import dev.idem.JsonException;
import dev.idem.Outcome;
import dev.idem.Warning;
import dev.idem.spi.Effect;
import org.jspecify.annotations.Nullable;

/** Texts about results for the model. */
final class Wording {
    private Wording() {}

    static String ran(String tool, @Nullable Object value) {
        return value == null ? "'" + tool + "' ran and returned nothing." : text(value);
    }

    /** The note beside a replayed result. */
    static String replayed(String tool, Outcome.Replayed<@Nullable Object> outcome) {
        StringBuilder note = new StringBuilder("Note: '")
                .append(tool)
                .append("' had already run for this at ")
                .append(outcome.executedAt())
                .append(". This is the result of that run; nothing ran again.");
        for (Warning warning : outcome.warnings()) {
            if (warning.code() == Warning.Code.REWORDED) {
                note.append(" Your arguments were worded differently this time, and the first wording stands.");
            }
        }
        return note.toString();
    }

    static String done(String tool, Outcome.Replayed<@Nullable Object> earlier) {
        Object value = earlier.value();
        return "'" + tool + "' is already done; do not call it again. It ran at " + earlier.executedAt() + " and "
                + (value == null ? "returned nothing." : "returned: " + text(value));
    }

    static String recorded(String tool, Effect effect) {
        return "Note: this is a dry run. '" + tool + "' did not run; effect: " + effect.word() + ".";
    }

    /** Text as it is, other values as JSON; {@code toString} for a value without a JSON form. */
    static String text(Object value) {
        if (value instanceof CharSequence chars) {
            return chars.toString();
        }
        try {
            return Json.write(value);
        } catch (JsonException e) {
            return String.valueOf(value);
        }
    }
}
