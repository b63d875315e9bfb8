package dev.idem.command.score;

import dev.idem.Json;
import dev.idem.JsonException;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The parsed answer of a program, in either shape.
 *
 * @param effect in {@code data} or beside it; null when there is none
 * @param data of the answer, without effect and reason
 */
record Response(
        boolean json, @Nullable String effect, @Nullable Object data) {
    private static final Response NONE = new Response(false, null, null);

    static Response of(String stdout) {
        try {
            return Json.parse(stdout) instanceof Map<?, ?> envelope ? of(envelope) : NONE;
        } catch (JsonException e) {
            return NONE;
        }
    }

    private static Response of(Map<?, ?> envelope) {
        Object data = envelope.get("data");
        Object effect = envelope.get("effect");
        if (effect == null && data instanceof Map<?, ?> fields) {
            effect = fields.get("effect");
        }
        return new Response(true, effect instanceof String word ? word : null, plain(data));
    }

    private static @Nullable Object plain(@Nullable Object data) {
        if (!(data instanceof Map<?, ?> fields)) {
            return data;
        }
        Map<Object, @Nullable Object> rest = new TreeMap<>();
        fields.forEach((name, value) -> {
            if (!name.equals("effect") && !name.equals("reason")) {
                rest.put(name, value);
            }
        });
        return rest;
    }

    /** Whether it reports a change. */
    boolean changed() {
        return effect != null && (effect.equals("created") || effect.equals("updated") || effect.equals("deleted"));
    }

    boolean noop() {
        return "noop".equals(effect);
    }

    boolean would() {
        return effect != null && effect.startsWith("would_");
    }
}
