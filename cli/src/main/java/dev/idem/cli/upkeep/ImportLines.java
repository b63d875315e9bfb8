package dev.idem.cli.upkeep;

import dev.idem.cli.syntax.UsageException;
import dev.idem.entry.Address;
import dev.idem.entry.Effect;
import dev.idem.entry.Failure;
import dev.idem.entry.Fingerprints;
import dev.idem.entry.ImportedRun;
import dev.idem.entry.Payload;
import dev.idem.entry.Result;
import dev.idem.entry.Retention;
import dev.idem.entry.Settlement;
import dev.idem.json.Json;
import dev.idem.json.JsonException;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Reads lines of an export, and lines of a file of request states: {@code {"id":…,"state":…,"result":…}}. */
final class ImportLines {
    private static final String REQUEST = "request";

    /** The year 9999. */
    private static final double MOST_SECONDS = 253_402_300_799d;

    private final String scope;
    private final Duration keep;
    private final Instant now;

    /** Made with the scope of lines that have none, how long such lines are kept, and the time. */
    ImportLines(String scope, Duration keep, Instant now) {
        this.scope = scope;
        this.keep = keep;
        this.now = now;
    }

    /**
     * Reads a line; null when its entry has expired.
     *
     * @throws UsageException when it is neither
     */
    @Nullable
    Imported read(String text, long number) {
        try {
            if (!(Json.parseExact(text) instanceof Map<?, ?> line)) {
                throw new UsageException("line " + number + " is not an object");
            }
            return line.containsKey("idem") ? exported(line) : state(line);
        } catch (JsonException e) {
            throw new UsageException("line " + number + " is not JSON");
        } catch (IllegalArgumentException | DateTimeException e) {
            throw new UsageException("line " + number + ": " + e.getMessage());
        }
    }

    /** A row of a table of results. */
    Imported row(String key, String result, @Nullable Instant at) {
        Payload payload;
        try {
            Json.parseExact(result);
            payload = json(result);
        } catch (JsonException e) {
            payload = Payload.of(result.getBytes(StandardCharsets.UTF_8), "text/plain;charset=utf-8", "text");
        }
        return imported(key, at, completed(new Result.Stored(payload), Effect.CREATED, Retention.of(keep)));
    }

    private Imported state(Map<?, ?> line) {
        String id = required(line, "id");
        Instant at = line.get("ts") instanceof Number seconds ? ofSeconds(seconds.doubleValue()) : null;
        return switch (required(line, "state")) {
            case "complete" -> {
                Result result = new Result.Stored(json(Json.write(line.get("result"))));
                yield imported(id, at, completed(result, Effect.CREATED, Retention.of(keep)));
            }
            case "failed" -> {
                String error = line.get("error") instanceof String message ? message : Json.write(line.get("error"));
                yield imported(id, at, new Settlement.Failed(new Failure("failed", error), false, Retention.of(keep)));
            }
            case "in_progress" -> imported(id, at, doubtful("it was in progress when it was taken over"));
            default -> throw new IllegalArgumentException("its state is none of complete, failed and in_progress");
        };
    }

    private Imported imported(String key, @Nullable Instant at, Settlement how) {
        Map<String, String> labels =
                at == null ? Map.of() : Map.of(ImportedRun.LABEL, new ImportedRun(at, at).interval());
        return new Imported(new Address(scope, REQUEST, key), Fingerprints.NONE, labels, how);
    }

    /** The moment that other programs write as seconds since 1970, with a fraction; null for what can be none. */
    static @Nullable Instant ofSeconds(double seconds) {
        return seconds > 0 && seconds < MOST_SECONDS ? Instant.ofEpochMilli(Math.round(seconds * 1000)) : null;
    }

    private @Nullable Imported exported(Map<?, ?> line) {
        if (!Long.valueOf(EntryLine.FORMAT).equals(line.get("idem"))) {
            throw new IllegalArgumentException("its format is " + line.get("idem") + "; this idem knows "
                    + EntryLine.FORMAT + ". Use a newer one");
        }
        Address address = new Address(required(line, "scope"), required(line, "operation"), required(line, "key"));
        Fingerprints guards = new Fingerprints(text(line, "identity"), text(line, "content"));
        Map<String, String> labels = new TreeMap<>();
        if (line.get("labels") instanceof Map<?, ?> given) {
            given.forEach((name, value) -> labels.put(String.valueOf(name), String.valueOf(value)));
        }
        Instant claimed = instant(line, "claimed_at");
        Instant settled = instant(line, "settled_at");
        if (claimed != null && settled != null) {
            // What was imported before has its own.
            labels.putIfAbsent(ImportedRun.LABEL, new ImportedRun(claimed, settled).interval());
        }
        String expires = text(line, "expires_at");
        Duration left = expires == null ? keep : Duration.between(now, Instant.parse(expires));
        String state = required(line, "state");
        boolean ends = state.equals("complete") || state.equals("failed");
        if (state.equals("expired") || (ends && (left.isNegative() || left.isZero()))) {
            return null;
        }
        return new Imported(address, guards, labels, settlement(line, state, left));
    }

    private static Settlement settlement(Map<?, ?> line, String state, Duration left) {
        String type = text(line, "failure");
        String message = text(line, "message");
        Failure failure = new Failure(type == null ? "failed" : type, message == null ? "" : message);
        return switch (state) {
            case "complete" -> {
                String effect = text(line, "effect");
                yield completed(
                        result(line), effect == null ? Effect.CREATED : Effect.ofWord(effect), Retention.of(left));
            }
            case "failed" -> new Settlement.Failed(failure, false, Retention.of(left));
            case "in_doubt" -> new Settlement.Doubtful(failure);
            case "in_progress" -> doubtful("it was in progress when it was exported");
            default -> throw new IllegalArgumentException("its state '" + state + "' is unknown");
        };
    }

    private static Result result(Map<?, ?> line) {
        String text = text(line, "text");
        String base64 = text(line, "base64");
        if (text == null && base64 == null) {
            String why = text(line, "unavailable");
            return new Result.Unavailable(why == null ? "its result was not exported" : why);
        }
        byte[] bytes = text == null
                ? Base64.getDecoder().decode(String.valueOf(base64))
                : text.getBytes(StandardCharsets.UTF_8);
        return new Result.Stored(Payload.of(bytes, required(line, "media_type"), required(line, "codec")));
    }

    private static Settlement completed(Result result, Effect effect, Retention retention) {
        return new Settlement.Completed(result, effect, retention);
    }

    private static Settlement doubtful(String why) {
        return new Settlement.Doubtful(new Failure("imported", why));
    }

    private static Payload json(String text) {
        return Payload.of(text.getBytes(StandardCharsets.UTF_8), "application/json", "json");
    }

    private static @Nullable Instant instant(Map<?, ?> line, String name) {
        String text = text(line, name);
        return text == null ? null : Instant.parse(text);
    }

    private static @Nullable String text(Map<?, ?> line, String name) {
        return line.get(name) instanceof String text ? text : null;
    }

    private static String required(Map<?, ?> line, String name) {
        String text = text(line, name);
        if (text == null) {
            throw new IllegalArgumentException("it has no '" + name + "'");
        }
        return text;
    }
}
