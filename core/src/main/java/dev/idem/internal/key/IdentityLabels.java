package dev.idem.internal.key;

import dev.idem.Json;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The fields of an identity as labels, so that "did we charge ann twice?" has an answer without labels set by hand. */
final class IdentityLabels {
    private static final Pattern NAME = Pattern.compile("(?!imported_run$)[A-Za-z0-9._-]{1,64}");
    /** Names of fields that tend to hold secrets. */
    private static final Pattern SECRET = Pattern.compile(
            "(?i).*(pass|secret|token|auth|cookie|credential|card|cvv|cvc|iban|ssn|api.?key|header).*|pin");

    private static final int MOST = 12;
    private static final int LONGEST = 64;

    private IdentityLabels() {}

    /** The labels of an identity in plain JSON values. */
    static Map<String, String> of(@Nullable Object plain) {
        if (!(plain instanceof Map<?, ?> fields)) {
            return isShown(plain) ? Map.of("identity", shown(plain)) : Map.of();
        }
        Map<String, String> labels = new TreeMap<>();
        for (Map.Entry<?, ?> field : fields.entrySet()) {
            String name = String.valueOf(field.getKey());
            if (labels.size() < MOST
                    && isShown(field.getValue())
                    && NAME.matcher(name).matches()
                    && !SECRET.matcher(name).matches()) {
                labels.put(name, shown(field.getValue()));
            }
        }
        return labels;
    }

    /** Whether a value is to be a label. The whole of it counts, because half a secret is one too. */
    private static boolean isShown(@Nullable Object value) {
        return value instanceof Boolean
                || ((value instanceof String || value instanceof Number) && !Secrets.isIn(text(value)));
    }

    private static String text(@Nullable Object value) {
        return value instanceof String word ? word : Json.write(value);
    }

    private static String shown(@Nullable Object value) {
        String text = text(value);
        StringBuilder shown = new StringBuilder();
        text.codePoints().limit(LONGEST).forEach(c -> shown.appendCodePoint(Character.isISOControl(c) ? ' ' : c));
        return text.codePointCount(0, text.length()) > LONGEST
                ? shown.append('…').toString()
                : shown.toString();
    }
}
