package dev.idem.cli.upkeep;

import dev.idem.Address;
import dev.idem.Json;
import dev.idem.JsonException;
import dev.idem.Key;
import dev.idem.spi.Effect;
import dev.idem.spi.Failure;
import dev.idem.spi.Fingerprints;
import dev.idem.spi.ImportedRun;
import dev.idem.spi.Payload;
import dev.idem.spi.Result;
import dev.idem.spi.Retention;
import dev.idem.spi.Settlement;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Reads lines of an export, lines of a file of request states ({@code {"id":…,"state":…,"result":…}}), and rows of a
 * table of results. Each goes to the operation of the matching Java API.
 */
final class ImportLines {
    /** The operation of {@code RequestStore}. */
    private static final String REQUEST = "request";

    /** The operation of {@code Idem.executeOnce}. */
    private static final String EXECUTE_ONCE = "execute_once";

    private static final String NOT_JSON = "its result is not JSON; NaN and Infinity are not";

    /** The label for an id whose key is its digest, as in the Java APIs. */
    private static final String ID_LABEL = "id";

    private static final int LONGEST_LABEL = 255;

    /** The year 9999. */
    private static final double MOST_SECONDS = 253_402_300_799d;

    private final String scope;
    private final @Nullable String operation;
    private final Duration keep;
    private final Instant now;

    /**
     * {@code scope}, {@code operation} and {@code keep} apply to lines that name none; without an operation that of the
     * matching API applies.
     */
    ImportLines(String scope, @Nullable String operation, Duration keep, Instant now) {
        this.scope = scope;
        this.operation = operation;
        this.keep = keep;
        this.now = now;
    }

    /**
     * Reads a line.
     *
     * @throws IllegalArgumentException if it is invalid
     * @throws java.time.DateTimeException if one of its times is invalid
     */
    ImportFile.Read read(String text) {
        Object value;
        try {
            value = Json.parseExact(text);
        } catch (JsonException e) {
            throw new IllegalArgumentException("it is not JSON; NaN and Infinity are not", e);
        }
        if (!(value instanceof Map<?, ?> line)) {
            throw new IllegalArgumentException("it is not an object");
        }
        return line.containsKey("idem") ? new ExportedLine(line, now, keep).read() : state(line);
    }

    /** A row of a table of results. */
    ImportFile.Read row(@Nullable String key, @Nullable String result, double createdAt) {
        if (key == null || result == null) {
            throw new IllegalArgumentException("its key or its result is NULL");
        }
        return ended(EXECUTE_ONCE, key, ofSeconds(createdAt), left -> completed(payload(result), left));
    }

    private static Payload payload(String result) {
        try {
            Json.parseExact(result);
            return json(result);
        } catch (JsonException e) {
            // Other programs write plain text; but text that begins like JSON was meant as JSON.
            if (result.stripLeading().matches("(?s)([\\[{\"].*|-?(NaN|Infinity)\\s*)")) {
                throw new IllegalArgumentException(NOT_JSON, e);
            }
            return Payload.of(result.getBytes(StandardCharsets.UTF_8), "text/plain;charset=utf-8", "text");
        }
    }

    private ImportFile.Read state(Map<?, ?> line) {
        String id = required(line, "id");
        Instant at = line.get("ts") instanceof Number seconds ? ofSeconds(seconds.doubleValue()) : null;
        return switch (required(line, "state")) {
            case "complete" -> ended(REQUEST, id, at, left -> completed(json(Json.write(line.get("result"))), left));
            case "failed" -> {
                // A failure does not prove that nothing happened.
                String error = line.get("error") instanceof String message ? message : Json.write(line.get("error"));
                yield entry(REQUEST, id, at, new Settlement.Doubtful(Failure.told("error", error)));
            }
            case "in_progress" ->
                entry(
                        REQUEST,
                        id,
                        at,
                        new Settlement.Doubtful(new Failure("imported", "it was in progress when it was taken over")));
            default -> throw new IllegalArgumentException("its state is none of complete, failed and in_progress");
        };
    }

    /** Makes the settlement of an entry for its remaining retention. */
    private interface Ended {
        Settlement after(Duration left);
    }

    /** An entry whose retention counts from its original end; it may have expired. */
    private ImportFile.Read ended(String usual, String key, @Nullable Instant at, Ended ended) {
        Duration age = at == null || at.isAfter(now) ? Duration.ZERO : Duration.between(at, now);
        return entry(usual, key, at, age.compareTo(keep) < 0 ? ended.after(keep.minus(age)) : null);
    }

    private ImportFile.Read entry(String usual, String id, @Nullable Instant at, @Nullable Settlement how) {
        Map<String, String> labels = new TreeMap<>();
        if (at != null) {
            labels.put(ImportedRun.LABEL, new ImportedRun(at, at).interval());
        }
        String own = Key.ofId(id).value();
        if (!own.equals(id)) {
            labels.put(ID_LABEL, shown(id));
        }
        Address address = new Address(scope, operation == null ? usual : operation, own);
        return new ImportFile.Read(
                address, how == null ? null : new Imported(address, Fingerprints.NONE, labels, null, how), false);
    }

    /** An id as the value of a label: cut if too long, without control characters and lone surrogates. */
    private static String shown(String id) {
        StringBuilder shown = new StringBuilder();
        id.codePoints()
                .limit(LONGEST_LABEL / 2)
                .map(c -> Character.isISOControl(c) || (c >= 0xD800 && c <= 0xDFFF) ? '?' : c)
                .forEach(shown::appendCodePoint);
        return shown.toString();
    }

    /** The time in seconds since 1970, with a fraction, as other programs write it; null if it is out of range. */
    private static @Nullable Instant ofSeconds(double seconds) {
        return seconds > 0 && seconds < MOST_SECONDS ? Instant.ofEpochMilli(Math.round(seconds * 1000)) : null;
    }

    private static Settlement completed(Payload payload, Duration left) {
        return new Settlement.Completed(new Result.Stored(payload), Effect.CREATED, Retention.of(left));
    }

    private static Payload json(String text) {
        return Payload.of(text.getBytes(StandardCharsets.UTF_8), "application/json", "json");
    }

    private static String required(Map<?, ?> line, String name) {
        if (line.get(name) instanceof String text) {
            return text;
        }
        throw new IllegalArgumentException("it has no '" + name + "'");
    }
}
