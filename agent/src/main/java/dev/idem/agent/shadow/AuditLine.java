package dev.idem.agent.shadow;

import dev.idem.call.SideEffect;
import dev.idem.entry.Effect;
import dev.idem.json.CanonicalJson;
import dev.idem.json.Json;
import dev.idem.json.JsonBinder;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One call that a shadow run has recorded.
 *
 * @param arguments as plain JSON values
 * @param key under which it would have run
 * @param effect what would have happened: {@code would_create} …, or {@code noop} where it had run before
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
     * @throws dev.idem.json.JsonException if it is none
     */
    public static AuditLine parse(String line) {
        Written written = Objects.requireNonNull(JsonBinder.bind(Json.parseExact(line), Written.class));
        return new AuditLine(
                written.at(),
                written.session(),
                written.tool(),
                SideEffect.valueOf(written.side_effect().toUpperCase(Locale.ROOT)),
                written.arguments(),
                written.key(),
                Effect.ofWord(written.effect()));
    }

    /** What makes two lines the same call, in whichever run: its session, and so its key, may differ. */
    String call() {
        return tool + " " + CanonicalJson.of(arguments) + " " + effect.word();
    }

    /** The tool, its arguments and what would have happened. */
    String told() {
        return tool + " " + Json.write(arguments) + " " + effect.word();
    }

    /** Shows no arguments. */
    @Override
    public String toString() {
        return "AuditLine[" + tool + " " + effect.word() + " " + key + "]";
    }

    /** The members of a line, by their names in JSON. */
    private record Written(
            Instant at,
            String session,
            String tool,
            String side_effect,
            Map<String, @Nullable Object> arguments,
            String key,
            String effect) {}
}
