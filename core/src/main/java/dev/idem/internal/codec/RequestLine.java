package dev.idem.internal.codec;

import dev.idem.Json;
import dev.idem.JsonException;
import dev.idem.Key;
import dev.idem.spi.Effect;
import dev.idem.spi.Failure;
import dev.idem.spi.Payload;
import dev.idem.spi.Result;
import dev.idem.spi.Retention;
import dev.idem.spi.Settlement;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A line of a file of request states, as simpler programs write it: {@code id}, {@code state}, {@code result} or
 * {@code error}, and {@code ts}.
 *
 * <p>Programs in Python write NaN, repeated names, halves of characters and deep lists, which are no strict JSON. So a
 * line is split into its members first: a result that is no JSON is lost, but its request is complete.
 *
 * @param id a text; Python's form of a number or a truth value
 * @param at the time of the line; null if it has none
 */
public record RequestLine(
        String id,
        State state,
        Result result,
        String error,
        @Nullable Instant at) {
    /** How long the requests of such a file are kept: it has no expiry. */
    public static final Duration FOR_GOOD = Duration.ofDays(36_525);

    /** Why a file that is one JSON array is refused: each of its lines is only a piece of it. */
    public static final String IS_ARRAY =
            "is a JSON array; a file of request states has a line for each of them. Make one with jq -c '.[]'";

    private static final Pattern ARRAY = Pattern.compile("\\s*\\[\\s*(\\{.*)?");
    private static final Pattern NUMBER = Pattern.compile("-?[0-9][-+.0-9eE]*");
    private static final Pattern SECONDS = Pattern.compile("([0-9]{1,12})(?:\\.([0-9]{1,40}))?");

    /** The year 9999. */
    private static final long MOST_SECONDS = 253_402_300_799L;

    private static final Pattern ESCAPE = Pattern.compile("\\\\(?:u([0-9a-fA-F]{4})|(.))", Pattern.DOTALL);

    /** The states of such files. */
    public enum State {
        COMPLETE,
        FAILED,
        IN_PROGRESS
    }

    /**
     * Reads a line.
     *
     * @throws IllegalArgumentException if it is no such line; the message quotes nothing of it
     */
    public static RequestLine read(String text) {
        Map<String, String> members = members(text.strip());
        String state = text(members.get("state"));
        return new RequestLine(
                id(members.get("id")),
                switch (state == null ? "" : state) {
                    case "complete" -> State.COMPLETE;
                    case "failed" -> State.FAILED;
                    case "in_progress" -> State.IN_PROGRESS;
                    default ->
                        throw new IllegalArgumentException("its state is none of complete, failed and in_progress");
                },
                result(members.getOrDefault("result", "null")),
                error(members.getOrDefault("error", "\"\"")),
                at(members.getOrDefault("ts", "")));
    }

    /** A line without the byte-order mark that editors write before the first one. */
    public static String unmarked(String text) {
        return text.startsWith("\ufeff") ? text.substring(1) : text;
    }

    /** Whether a file that begins with this line is one JSON array. */
    public static boolean beginsArray(String text) {
        return ARRAY.matcher(text).matches();
    }

    /** The key of the request, as of {@link dev.idem.RequestStore}. */
    public String key() {
        return Key.ofId(id).value();
    }

    /** How the request ended. A failure does not prove that nothing happened, and a request in progress has no end. */
    public Settlement ending(Retention retention) {
        return switch (state) {
            case COMPLETE -> new Settlement.Completed(result, Effect.CREATED, retention);
            case FAILED -> new Settlement.Doubtful(Failure.told("error", error));
            case IN_PROGRESS ->
                new Settlement.Doubtful(new Failure("unknown", "it was in progress when its file was taken over"));
        };
    }

    /** The members of an object, each with its value as it stands there. */
    private static Map<String, String> members(String object) {
        Map<String, String> members = new HashMap<>();
        int depth = 0;
        int start = 1;
        int colon = -1;
        for (int i = 0; i < object.length() && (i == 0 || depth > 0); i++) {
            char c = object.charAt(i);
            if (c == '"') {
                i = stringEnd(object, i);
            } else if (c == ':' && depth == 1 && colon < 0) {
                colon = i;
            }
            depth += c == '{' || c == '[' ? 1 : c == '}' || c == ']' ? -1 : 0;
            if (depth == 0 || (depth == 1 && c == ',')) {
                String name =
                        colon < 0 ? null : text(object.substring(start, colon).strip());
                if (name != null) {
                    members.put(name, object.substring(colon + 1, i).strip());
                }
                start = i + 1;
                colon = -1;
            }
        }
        if (depth != 0 || start != object.length() || !object.startsWith("{")) {
            throw new IllegalArgumentException("it is not JSON");
        }
        return members;
    }

    private static int stringEnd(String text, int start) {
        int at = start + 1;
        while (at < text.length() && text.charAt(at) != '"') {
            at += text.charAt(at) == '\\' ? 2 : 1;
        }
        return at;
    }

    private static String id(@Nullable String value) {
        String id = text(value);
        if (id != null) {
            return id;
        } else if (value != null && NUMBER.matcher(value).matches()) {
            return value;
        } else if ("true".equals(value) || "false".equals(value)) {
            return "true".equals(value) ? "True" : "False";
        }
        throw new IllegalArgumentException("its id is neither a text nor a number");
    }

    /** A string without its quotes and escapes, also with half of a surrogate pair; null if the value is no string. */
    private static @Nullable String text(@Nullable String value) {
        if (value == null
                || value.length() < 2
                || !value.startsWith("\"")
                || stringEnd(value, 0) != value.length() - 1) {
            return null;
        }
        Matcher escapes = ESCAPE.matcher(value.substring(1, value.length() - 1));
        return escapes.replaceAll(escape -> {
            String code = escape.group(1);
            char c = code != null
                    ? (char) Integer.parseInt(code, 16)
                    : named(escape.group(2).charAt(0));
            return Matcher.quoteReplacement(String.valueOf(c));
        });
    }

    private static char named(char escaped) {
        int control = "bfnrt".indexOf(escaped);
        return control < 0 ? escaped : "\b\f\n\r\t".charAt(control);
    }

    private static Result result(String value) {
        try {
            byte[] json = Json.write(Json.parseExact(value)).getBytes(StandardCharsets.UTF_8);
            return new Result.Stored(Payload.of(json, "application/json", "json"));
        } catch (JsonException e) {
            return new Result.Unavailable("its result is not JSON; NaN and Infinity are not");
        }
    }

    private static String error(String value) {
        String text = text(value);
        return text == null ? value : text;
    }

    /** Seconds since 1970, or a time of ISO 8601, which is in UTC where it names no zone. */
    private static @Nullable Instant at(String value) {
        String text = text(value);
        if (text != null) {
            return ofIso(text.strip().replace(' ', 'T'));
        }
        Matcher parts = SECONDS.matcher(value);
        if (!parts.matches() || Long.parseLong(parts.group(1)) > MOST_SECONDS) {
            return null;
        }
        String fraction = parts.group(2) == null ? "" : parts.group(2);
        return Instant.ofEpochSecond(
                Long.parseLong(parts.group(1)), Long.parseLong((fraction + "000000000").substring(0, 9)));
    }

    private static @Nullable Instant ofIso(String text) {
        try {
            Instant at = Instant.from(
                    DateTimeFormatter.ISO_DATE_TIME.withZone(ZoneOffset.UTC).parse(text));
            return at.getEpochSecond() < 0 || at.getEpochSecond() > MOST_SECONDS ? null : at;
        } catch (DateTimeException e) {
            return null;
        }
    }
}
