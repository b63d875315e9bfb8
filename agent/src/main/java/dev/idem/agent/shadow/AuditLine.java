package dev.idem.agent.shadow;

import dev.idem.Json;
import dev.idem.SideEffect;
import dev.idem.internal.json.CanonicalJson;
import dev.idem.internal.json.JsonBinder;
import dev.idem.spi.Effect;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One call that a shadow run has recorded.
 *
 * @param arguments as plain JSON values
 * @param key under which it would have run
 * @param effect the effect that it would have had: {@code would_create} …, or {@code noop} if it had run before
 */
public record AuditLine(
        Instant at,
        String session,
        String tool,
        SideEffect sideEffect,
        Map<String, @Nullable Object> arguments,
        String key,
        Effect effect) {
    /** Keeps the arguments as they are now. */
    public AuditLine {
        arguments = Collections.unmodifiableMap(new LinkedHashMap<>(arguments));
    }

    /** One line of JSON. */
    public String json() {
        Map<String, @Nullable Object> members = new LinkedHashMap<>();
        members.put("at", at);
        members.put("session", session);
        members.put("tool", tool);
        members.put("side_effect", sideEffect.word());
        members.put("arguments", arguments);
        members.put("key", key);
        members.put("effect", effect.word());
        return Json.write(members);
    }

    /**
     * Parses {@link #json()}.
     *
     * @throws dev.idem.JsonException if it is none
     */
    public static AuditLine parse(String line) {
        Map<?, ?> members = Objects.requireNonNull(JsonBinder.bind(Json.parseExact(line), Map.class));
        Map<?, ?> arguments = Objects.requireNonNull(JsonBinder.bind(members.get("arguments"), Map.class));
        Map<String, @Nullable Object> named = new LinkedHashMap<>();
        arguments.forEach((name, value) -> named.put(String.valueOf(name), value));
        return new AuditLine(
                Instant.parse(text(members, "at")),
                text(members, "session"),
                text(members, "tool"),
                SideEffect.valueOf(text(members, "side_effect").toUpperCase(Locale.ROOT)),
                named,
                text(members, "key"),
                Effect.ofWord(text(members, "effect")));
    }

    private static String text(Map<?, ?> members, String name) {
        return Objects.requireNonNull(JsonBinder.bind(members.get(name), String.class), name);
    }

    /** Compares calls of two runs by tool, arguments and effect; session and key may differ. */
    List<Object> call() {
        return List.of(tool, CanonicalJson.of(arguments), effect);
    }

    /** The tool, its arguments and the effect. */
    String summary() {
        return tool + " " + Json.write(arguments) + " " + effect.word();
    }

    /** Shows no arguments. */
    @Override
    public String toString() {
        return "AuditLine[" + tool + " " + effect.word() + " " + key + "]";
    }
}
