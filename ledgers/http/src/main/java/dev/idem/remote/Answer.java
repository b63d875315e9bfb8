package dev.idem.remote;

import dev.idem.Json;
import dev.idem.internal.wire.RecordJson;
import java.util.List;
import java.util.Map;

/** The members of an answer. Throws {@link IllegalArgumentException} where it is not as it must be. */
record Answer(Map<?, ?> members) {
    /** Reads a body; throws {@link dev.idem.JsonException} if it is no JSON. */
    static Answer parse(byte[] body) {
        if (Json.parse(body) instanceof Map<?, ?> members) {
            return new Answer(members);
        }
        throw new IllegalArgumentException("the answer is no object");
    }

    /** The word that says what kind of answer it is. */
    String word() {
        return of("answer", String.class);
    }

    /** Refuses any other word. */
    Answer expect(String word) {
        if (!word().equals(word)) {
            throw unknown();
        }
        return this;
    }

    /** Whether it was done; the only other answer is that it was refused. */
    boolean isDone() {
        return switch (word()) {
            case "done" -> true;
            case "refused" -> false;
            default -> throw unknown();
        };
    }

    IllegalArgumentException unknown() {
        return new IllegalArgumentException("the answer '" + word() + "' is not known");
    }

    <T> T of(String name, Class<T> type) {
        Object member = members.get(name);
        if (!type.isInstance(member)) {
            throw new IllegalArgumentException("'" + name + "' is missing or something else");
        }
        return type.cast(member);
    }

    /** A member that is a record of the SPI. */
    <T> T read(String name, Class<T> type) {
        return RecordJson.read(members.get(name), type);
    }

    List<?> list(String name) {
        return of(name, List.class);
    }
}
