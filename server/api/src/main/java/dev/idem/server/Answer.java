package dev.idem.server;

import dev.idem.Json;
import dev.idem.Warning;
import dev.idem.spi.Fence;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The answer to a request: members in the order in which they were added. */
final class Answer {
    private final Map<String, @Nullable Object> members = new LinkedHashMap<>();
    private @Nullable String result;

    static Answer of(String word) {
        return new Answer().with("answer", word);
    }

    /** Adds a member; one that is null is left out. */
    Answer with(String name, @Nullable Object value) {
        Object plain = value instanceof Instant || value instanceof Fence ? value.toString() : value;
        if (plain != null) {
            members.put(name, plain);
        }
        return this;
    }

    Answer withMillis(String name, @Nullable Duration value) {
        return with(name, value == null ? null : value.toMillis());
    }

    Answer withWarnings(List<Warning> warnings) {
        return with(
                "warnings",
                warnings.isEmpty()
                        ? null
                        : warnings.stream()
                                .map(each -> Map.of(
                                        "code", each.code().name().toLowerCase(Locale.ROOT),
                                        "message", each.message()))
                                .toList());
    }

    /** Adds a result byte for byte. */
    Answer withResult(String json) {
        result = json;
        return this;
    }

    Map<String, @Nullable Object> members() {
        return members;
    }

    String json() {
        String text = Json.writePlain(members);
        if (result == null) {
            return text;
        }
        return text.substring(0, text.length() - 1) + (members.isEmpty() ? "" : ",") + "\"result\":" + result + "}";
    }
}
