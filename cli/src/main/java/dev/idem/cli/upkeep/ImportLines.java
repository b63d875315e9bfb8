package dev.idem.cli.upkeep;

import dev.idem.Address;
import dev.idem.Json;
import dev.idem.JsonException;
import dev.idem.Key;
import dev.idem.internal.codec.RequestLine;
import dev.idem.spi.Effect;
import dev.idem.spi.Fingerprints;
import dev.idem.spi.ImportedRun;
import dev.idem.spi.Labels;
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

    /** The label for an id whose key is its digest, as in the Java APIs. */
    private static final String ID_LABEL = "id";

    /** The year 9999. */
    private static final double MOST_SECONDS = 253_402_300_799d;

    private final String scope;
    private final @Nullable String operation;
    private final Duration keep;
    private final Duration keepForeign;
    private final Instant now;

    /**
     * {@code scope}, {@code operation} and {@code keep} apply to lines that name none; without an operation that of the
     * matching API applies. What another program wrote is kept for {@code keepForeign} from its end.
     */
    ImportLines(String scope, @Nullable String operation, Duration keep, Duration keepForeign, Instant now) {
        this.scope = scope;
        this.operation = operation;
        this.keep = keep;
        this.keepForeign = keepForeign;
        this.now = now;
    }

    /**
     * Reads a line.
     *
     * @throws IllegalArgumentException if it is invalid
     * @throws java.time.DateTimeException if one of its times is invalid
     */
    ImportFile.Read read(String text) {
        Map<?, ?> exported = exported(text);
        return exported != null ? new ExportedLine(exported, now, keep).read() : state(RequestLine.read(text));
    }

    /** The members of a line of an export; null if it is none. */
    private static @Nullable Map<?, ?> exported(String text) {
        try {
            return Json.parseExact(text) instanceof Map<?, ?> line && line.containsKey("idem") ? line : null;
        } catch (JsonException e) {
            return null;
        }
    }

    /** A row of a table of results. */
    ImportFile.Read row(@Nullable String key, @Nullable String result, double createdAt) {
        if (key == null || result == null) {
            throw new IllegalArgumentException("its key or its result is NULL");
        }
        return ended(EXECUTE_ONCE, key, ofSeconds(createdAt), left -> completed(result(result), left));
    }

    private static Result result(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        try {
            Json.parseExact(text);
            return new Result.Stored(Payload.of(bytes, "application/json", "json"));
        } catch (JsonException e) {
            // Other programs write plain text; but text that begins like JSON was meant as JSON.
            return text.stripLeading().matches("(?s)([\\[{\"].*|-?(NaN|Infinity)\\s*)")
                    ? new Result.Unavailable("its result is not JSON; NaN and Infinity are not")
                    : new Result.Stored(Payload.of(bytes, "text/plain;charset=utf-8", "text"));
        }
    }

    private ImportFile.Read state(RequestLine line) {
        return line.state() == RequestLine.State.COMPLETE
                ? ended(REQUEST, line.id(), line.at(), left -> line.ending(Retention.of(left)))
                : entry(REQUEST, line.id(), line.at(), line.ending(Retention.of(keepForeign)));
    }

    /** Makes the settlement of an entry for its remaining retention. */
    private interface Ended {
        Settlement after(Duration left);
    }

    /** An entry whose retention counts from its original end; it may have expired. */
    private ImportFile.Read ended(String usual, String key, @Nullable Instant at, Ended ended) {
        Duration age = at == null || at.isAfter(now) ? Duration.ZERO : Duration.between(at, now);
        return entry(usual, key, at, age.compareTo(keepForeign) < 0 ? ended.after(keepForeign.minus(age)) : null);
    }

    private ImportFile.Read entry(String usual, String id, @Nullable Instant at, @Nullable Settlement how) {
        Map<String, String> labels = new TreeMap<>();
        if (at != null) {
            labels.put(ImportedRun.LABEL, new ImportedRun(at, at).interval());
        }
        String own = Key.ofId(id).value();
        if (!own.equals(id)) {
            labels.put(ID_LABEL, Labels.value(id));
        }
        Address address = new Address(scope, operation == null ? usual : operation, own);
        return new ImportFile.Read(
                address, how == null ? null : new Imported(address, Fingerprints.NONE, labels, null, how), false);
    }

    /** The time in seconds since 1970, with a fraction, as other programs write it; null if it is out of range. */
    private static @Nullable Instant ofSeconds(double seconds) {
        return seconds > 0 && seconds < MOST_SECONDS ? Instant.ofEpochMilli(Math.round(seconds * 1000)) : null;
    }

    private static Settlement completed(Result result, Duration left) {
        return new Settlement.Completed(result, Effect.CREATED, Retention.of(left));
    }
}
