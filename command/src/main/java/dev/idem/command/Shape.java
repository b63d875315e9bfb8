package dev.idem.command;

import dev.idem.Json;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The form in which an answer is written to stdout. */
public enum Shape {
    /** Text for people. */
    TEXT,
    /** One JSON object with {@code ok}, {@code data}, {@code error}, {@code warnings} and {@code meta}. */
    ENVELOPE,
    /** The same with {@code effect}, {@code reason} and {@code changes} beside the data, and without empty members. */
    FLAT;

    /** The option that asks for JSON. */
    public static final String JSON_OPTION = "--json";

    /** The option that names the shape of the JSON object: {@code envelope} or {@code flat}. */
    public static final String SHAPE_OPTION = "--json-shape";

    /** The version of the envelope. */
    static final String VERSION = "1.16";

    private static final List<String> BESIDE_DATA = List.of("effect", "reason", "changes");

    /**
     * The shape that a line names; null if it names none. The line is not parsed, so that an invalid line is answered
     * in the shape it names.
     */
    public static @Nullable Shape askedFor(List<String> line) {
        int end = line.indexOf("--");
        List<String> words = end < 0 ? line : line.subList(0, end);
        Shape asked = words.contains(JSON_OPTION) ? ENVELOPE : null;
        for (int i = 0; i < words.size(); i++) {
            String word = words.get(i);
            if (word.startsWith(SHAPE_OPTION + "=") || (word.equals(SHAPE_OPTION) && i + 1 < words.size())) {
                String shape = word.equals(SHAPE_OPTION) ? words.get(i + 1) : word.substring(SHAPE_OPTION.length() + 1);
                asked = shape.equalsIgnoreCase("flat") ? FLAT : ENVELOPE;
            }
        }
        return asked;
    }

    /** The text for stdout. */
    public String of(Answer answer, long durationMillis) {
        return switch (this) {
            case TEXT -> answer.text();
            case ENVELOPE -> Json.write(answer.envelope(durationMillis)) + "\n";
            case FLAT -> Json.write(flat(answer.envelope(durationMillis))) + "\n";
        };
    }

    private static Map<String, @Nullable Object> flat(Map<String, @Nullable Object> envelope) {
        Map<String, @Nullable Object> flat = new LinkedHashMap<>();
        flat.put("ok", envelope.remove("ok"));
        if (envelope.get("data") instanceof Map<?, ?> data) {
            Map<Object, @Nullable Object> rest = new LinkedHashMap<>(data);
            for (String name : BESIDE_DATA) {
                if (rest.containsKey(name)) {
                    flat.put(name, rest.remove(name));
                }
            }
            envelope.put("data", rest);
        }
        flat.putAll(envelope);
        flat.values().removeIf(value -> value == null || value.equals(List.of()));
        return flat;
    }
}
