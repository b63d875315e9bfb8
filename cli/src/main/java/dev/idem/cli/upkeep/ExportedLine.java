package dev.idem.cli.upkeep;

import dev.idem.Address;
import dev.idem.spi.Effect;
import dev.idem.spi.Failure;
import dev.idem.spi.Fingerprints;
import dev.idem.spi.ImportedRun;
import dev.idem.spi.Payload;
import dev.idem.spi.ResolvedBy;
import dev.idem.spi.Result;
import dev.idem.spi.Retention;
import dev.idem.spi.Settlement;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Reads a line of {@link EntryLine}. */
final class ExportedLine {
    static final String NOT_EXPORTED = "its result was not exported";

    /** The remaining retention of an expired entry with a tombstone. */
    static final Duration AT_ONCE = Duration.ofNanos(1_000);

    private final Map<?, ?> line;
    private final Instant now;
    private final Duration keep;

    /** {@code keep} is the retention of an entry whose line names no expiry. */
    ExportedLine(Map<?, ?> line, Instant now, Duration keep) {
        this.line = line;
        this.now = now;
        this.keep = keep;
    }

    /** The address with its entry; without an entry if it has expired and has no tombstone. */
    ImportFile.Read read() {
        if (!Long.valueOf(EntryLine.FORMAT).equals(line.get("idem"))) {
            throw new IllegalArgumentException("its format is " + line.get("idem") + "; this idem knows "
                    + EntryLine.FORMAT + ". Use a newer one");
        }
        Address address = new Address(required("scope"), required("operation"), required("key"));
        Fingerprints guards = new Fingerprints(text("identity"), text("content"));
        Settlement how = settlement(required("state"));
        return new ImportFile.Read(
                address, how == null ? null : new Imported(address, guards, labels(), parent(), how), true);
    }

    private Map<String, String> labels() {
        Map<String, String> labels = new TreeMap<>();
        if (line.get("labels") instanceof Map<?, ?> given) {
            given.forEach((name, value) -> labels.put(String.valueOf(name), String.valueOf(value)));
        }
        // A doubt dates from the first claim: a remote may have forgotten the key since then.
        boolean open = List.of("in_doubt", "in_progress").contains(required("state"));
        Instant began = instant(open ? "created_at" : "claimed_at");
        Instant ended = instant(open ? "doubt_since" : "settled_at");
        if (began != null) {
            // An entry that was imported before keeps its label.
            labels.putIfAbsent(ImportedRun.LABEL, new ImportedRun(began, ended == null ? began : ended).interval());
        }
        return labels;
    }

    private @Nullable Address parent() {
        return line.get("parent") instanceof List<?> parts && parts.size() == 3
                ? new Address(String.valueOf(parts.get(0)), String.valueOf(parts.get(1)), String.valueOf(parts.get(2)))
                : null;
    }

    private @Nullable Settlement settlement(String state) {
        String type = text("failure");
        String message = text("message");
        Failure failure = new Failure(type == null ? "failed" : type, message == null ? "" : message);
        return switch (state) {
            case "complete" -> completed(lived(), result());
            case "failed" -> failed(lived(), failure);
            case "expired" -> type == null ? completed(null, result()) : failed(null, failure);
            case "in_doubt" -> new Settlement.Doubtful(type == null ? doubt("it was in doubt there") : failure);
            case "in_progress" -> new Settlement.Doubtful(doubt("it was in progress when it was exported"));
            default -> throw new IllegalArgumentException("its state '" + state + "' is unknown");
        };
    }

    /** The remaining retention; null if it has expired. */
    private @Nullable Duration lived() {
        Instant expires = instant("expires_at");
        Duration left = expires == null ? keep : Duration.between(now, expires);
        return left.isNegative() || left.isZero() ? null : left;
    }

    private @Nullable Settlement completed(@Nullable Duration left, Result result) {
        String word = text("effect");
        Effect effect = word == null ? Effect.CREATED : Effect.ofWord(word);
        Retention retention = retention(left);
        return retention == null
                ? null
                : new Settlement.Completed(
                        left == null ? new Result.Unavailable("it has expired") : result,
                        effect,
                        retention,
                        text("note"),
                        resolution());
    }

    private @Nullable Settlement failed(@Nullable Duration left, Failure failure) {
        if (Boolean.TRUE.equals(line.get("kept"))) {
            Retention retention = retention(left);
            return retention == null ? null : new Settlement.Failed(failure, true, retention);
        } else if (left == null) {
            return null;
        }
        String evidence = text("evidence");
        return evidence == null
                ? new Settlement.Failed(failure, false, Retention.of(left))
                : new Settlement.NotExecuted(evidence, Retention.of(left), resolution());
    }

    private @Nullable ResolvedBy resolution() {
        if (!(line.get("resolution") instanceof Map<?, ?> by)) {
            return null;
        }
        return new ResolvedBy(
                text(by.get("who")), text(by.get("why")), text(by.get("request")), text(by.get("caller")));
    }

    /** The retention of the entry and of its tombstone; null if both are over. */
    private @Nullable Retention retention(@Nullable Duration left) {
        Instant gone = instant("tombstone_until");
        Duration key =
                gone != null ? Duration.between(now, gone) : "expired".equals(line.get("state")) ? keep : Duration.ZERO;
        if (left != null) {
            return Retention.of(left).withTombstone(key.compareTo(left) > 0 ? key.minus(left) : Duration.ZERO);
        }
        return key.isNegative() || key.isZero() ? null : new Retention(AT_ONCE, key);
    }

    private Failure doubt(String otherwise) {
        String reason = text("doubt");
        return new Failure("imported", reason == null ? otherwise : reason);
    }

    private Result result() {
        String text = text("text");
        String base64 = text("base64");
        if (text == null && base64 == null) {
            String why = text("unavailable");
            return new Result.Unavailable(why == null ? NOT_EXPORTED : why);
        }
        byte[] bytes = text == null
                ? Base64.getDecoder().decode(String.valueOf(base64))
                : text.getBytes(StandardCharsets.UTF_8);
        return new Result.Stored(Payload.of(bytes, required("media_type"), required("codec")));
    }

    private @Nullable Instant instant(String name) {
        String text = text(name);
        return text == null ? null : Instant.parse(text);
    }

    private @Nullable String text(String name) {
        return text(line.get(name));
    }

    private static @Nullable String text(@Nullable Object value) {
        return value instanceof String text ? text : null;
    }

    private String required(String name) {
        String text = text(name);
        if (text == null) {
            throw new IllegalArgumentException("it has no '" + name + "'");
        }
        return text;
    }
}
