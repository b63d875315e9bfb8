package dev.idem.key;

import dev.idem.json.Json;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The fields of an identity as labels, so that "did we charge ann twice?" has an answer without labels set by hand. */
final class IdentityLabels {
    private static final Pattern NAME = Pattern.compile("(?!imported_run$)[A-Za-z0-9._-]{1,64}");
    private static final int MOST = 12;
    private static final int LONGEST = 64;

    private IdentityLabels() {}

    /** Made of {@code plain}: the identity as plain JSON values. */
    static Map<String, String> of(@Nullable Object plain) {
        if (!(plain instanceof Map<?, ?> fields)) {
            return plain == null ? Map.of() : Map.of("identity", shown(plain));
        }
        Map<String, String> labels = new TreeMap<>();
        for (Map.Entry<?, ?> field : fields.entrySet()) {
            String name = String.valueOf(field.getKey());
            if (labels.size() < MOST
                    && field.getValue() != null
                    && NAME.matcher(name).matches()) {
                labels.put(name, shown(field.getValue()));
            }
        }
        return labels;
    }

    private static String shown(Object value) {
        String text = value instanceof String word ? word : Json.write(value);
        StringBuilder shown = new StringBuilder();
        text.codePoints().limit(LONGEST).forEach(c -> shown.appendCodePoint(Character.isISOControl(c) ? ' ' : c));
        return text.codePointCount(0, text.length()) > LONGEST
                ? shown.append('…').toString()
                : shown.toString();
    }
}
