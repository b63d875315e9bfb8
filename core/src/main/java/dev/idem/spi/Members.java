package dev.idem.spi;

import dev.idem.Json;
import dev.idem.JsonException;
import dev.idem.LedgerUnreadableException;
import dev.idem.spi.EntryStore.Row;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Reads the members of a JSON object by name and type. */
record Members(Map<?, ?> values) {
    private static final Long VERSION = 1L;

    /** The document of a row. */
    static Members of(Row row) {
        Object value;
        try {
            value = Json.parseExact(row.document());
        } catch (JsonException e) {
            throw unreadable(row, e.getMessage(), e);
        }
        if (!(value instanceof Map<?, ?> values)) {
            throw unreadable(row, "its document is no object", null);
        }
        if (!VERSION.equals(values.get("v"))) {
            throw unreadable(
                    row,
                    "it is in format " + values.get("v")
                            + ", this version of Idem reads format 1: use the version that " + "wrote it",
                    null);
        }
        return new Members(values);
    }

    static LedgerUnreadableException unreadable(Row row, @Nullable String why, @Nullable Throwable cause) {
        return new LedgerUnreadableException("the entry " + row.at() + " can't be read: " + why, cause);
    }

    <T> T needed(String name, @Nullable T value) {
        if (value == null) {
            throw new IllegalArgumentException("it has no '" + name + "'");
        }
        return value;
    }

    String text(String name) {
        return needed(name, optional(name));
    }

    @Nullable
    String optional(String name) {
        return member(name, String.class);
    }

    @Nullable
    Long number(String name) {
        return member(name, Long.class);
    }

    boolean flag(String name) {
        return Boolean.TRUE.equals(member(name, Boolean.class));
    }

    @Nullable
    Instant instant(String name) {
        String value = optional(name);
        // Not Instant.parse, which makes a formatter for each text: a long trail has hundreds of them.
        return value == null
                ? null
                : LocalDateTime.parse(value.substring(0, value.length() - 1)).toInstant(ZoneOffset.UTC);
    }

    @Nullable
    Duration duration(String name) {
        Number value = member(name, Number.class);
        return value == null ? null : Seconds.duration(value);
    }

    @Nullable
    Members members(String name) {
        Map<?, ?> value = member(name, Map.class);
        return value == null ? null : new Members(value);
    }

    /** An object whose values are all texts; empty where it is absent. */
    @SuppressWarnings("unchecked") // a value that is no text fails where it is used, and nothing else can
    Map<String, String> texts(String name) {
        Map<?, ?> value = member(name, Map.class);
        return value == null ? Map.of() : (Map<String, String>) value;
    }

    <T> List<T> list(String name, Function<Members, T> element) {
        List<?> values = member(name, List.class);
        return values == null
                ? List.of()
                : values.stream()
                        .map(value -> element.apply(new Members((Map<?, ?>) value)))
                        .toList();
    }

    private <T> @Nullable T member(String name, Class<T> type) {
        Object value = values.get(name);
        if (value != null && !type.isInstance(value)) {
            throw new IllegalArgumentException("its '" + name + "' is not a " + type.getSimpleName());
        }
        return type.cast(value);
    }
}
