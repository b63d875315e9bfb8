package dev.idem.cli.upkeep;

import dev.idem.Address;
import dev.idem.Entry;
import dev.idem.cli.around.Iso;
import dev.idem.cli.entry.EntryFields;
import dev.idem.cli.recorded.Results;
import dev.idem.cli.recorded.Text;
import dev.idem.seal.SealedLedger;
import dev.idem.spi.Doubt;
import dev.idem.spi.Failure;
import dev.idem.spi.Payload;
import dev.idem.spi.Result;
import dev.idem.spi.Retention;
import dev.idem.spi.Settlement;
import java.time.Instant;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** An entry as a line of an export. */
final class EntryLine {
    /** The version of the lines. */
    static final long FORMAT = 1;

    private EntryLine() {}

    static Map<String, @Nullable Object> of(Entry entry, boolean withResult) {
        Map<String, @Nullable Object> line = new LinkedHashMap<>();
        line.put("idem", FORMAT);
        line.put("scope", entry.address().scope());
        line.put("operation", entry.address().operation());
        line.put("key", entry.address().key());
        line.put("state", entry.state().word());
        line.put("attempt", entry.attempt());
        line.put("identity", entry.fingerprints().identity());
        line.put("content", entry.fingerprints().content());
        line.put("labels", new TreeMap<>(entry.labels()));
        line.put("created_at", text(entry.times().created()));
        line.put("claimed_at", text(entry.times().claimed()));
        line.put("settled_at", text(entry.times().settled()));
        line.put("expires_at", text(entry.times().expires()));
        Address parent = entry.parent();
        if (parent != null) {
            line.put("parent", List.of(parent.scope(), parent.operation(), parent.key()));
        }
        Doubt doubt = entry.doubt();
        if (doubt != null) {
            line.put("doubt", doubt.reason());
            line.put("doubt_since", text(doubt.since()));
        }
        Settlement how = entry.settlement();
        boolean readable = withResult && SealedLedger.keyIdOf(entry).isEmpty();
        if (how instanceof Settlement.Completed completed) {
            line.put("effect", completed.effect().word());
            tombstone(line, entry, completed.retention());
            if (completed.note() != null) {
                line.put("note", completed.note());
            }
            if (withResult) {
                result(line, entry, completed.result());
            }
        } else if (how instanceof Settlement.Failed failed) {
            line.put("kept", failed.kept());
            tombstone(line, entry, failed.retention());
        } else if (how instanceof Settlement.NotExecuted notExecuted) {
            line.put("evidence", notExecuted.evidence());
        }
        if (entry.resolution() != null) {
            line.put("resolution", EntryFields.resolution(entry.resolution()));
        }
        Failure failure = entry.failure();
        if (failure != null) {
            line.put("failure", failure.type());
            if (readable) {
                line.put("message", failure.message());
            }
        }
        return line;
    }

    /** Adds the end of the tombstone, until which the expired key does not run again. */
    private static void tombstone(Map<String, @Nullable Object> line, Entry entry, Retention retention) {
        Instant expires = entry.times().expires();
        if (expires != null && !retention.tombstone().isZero()) {
            line.put("tombstone_until", text(expires.plus(retention.tombstone())));
        }
    }

    private static void result(Map<String, @Nullable Object> line, Entry entry, Result result) {
        if (result instanceof Result.Unavailable unavailable) {
            line.put("unavailable", unavailable.why());
        } else if (SealedLedger.keyIdOf(entry).isPresent()) {
            line.put("unavailable", "it was sealed when it was exported");
        } else if (result instanceof Result.Stored stored) {
            Payload payload = stored.payload();
            byte[] bytes = Results.plain(payload);
            String text = Text.orNull(bytes);
            line.put("media_type", payload.mediaType());
            line.put("codec", payload.codec());
            line.put(
                    text == null ? "base64" : "text",
                    text == null ? Base64.getEncoder().encodeToString(bytes) : text);
        }
    }

    private static @Nullable String text(@Nullable Instant instant) {
        return instant == null ? null : Iso.text(instant);
    }
}
