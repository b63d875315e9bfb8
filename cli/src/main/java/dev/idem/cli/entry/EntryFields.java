package dev.idem.cli.entry;

import dev.idem.Address;
import dev.idem.Entry;
import dev.idem.cli.around.Iso;
import dev.idem.cli.recorded.CommandResult;
import dev.idem.cli.recorded.Recorded;
import dev.idem.cli.recorded.Text;
import dev.idem.spi.Doubt;
import dev.idem.spi.Failure;
import dev.idem.spi.Mark;
import dev.idem.spi.ResolvedBy;
import java.time.Instant;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Entries and results as fields of the JSON object. */
public final class EntryFields {
    private EntryFields() {}

    /** The fields every answer about a call begins with. */
    public static Map<String, @Nullable Object> call(@Nullable String effect, Address address) {
        Map<String, @Nullable Object> fields = new LinkedHashMap<>();
        fields.put("effect", effect);
        fields.put("key", address.key());
        fields.put("scope", address.scope());
        return fields;
    }

    /** An answer about a call whose entry was found, and which did nothing itself. */
    public static Map<String, @Nullable Object> found(String effect, Entry entry) {
        Map<String, @Nullable Object> fields = call(effect, entry.address());
        fields.put("attempt", entry.attempt());
        fields.put("fence", entry.fence().number());
        fields.put("state", entry.state().word());
        fields.put("claimed_at", text(entry.times().claimed()));
        return fields;
    }

    /** Adds the exit and the output of a command. */
    public static void addResult(Map<String, @Nullable Object> fields, CommandResult result) {
        fields.put("exit_code", result.exitCode());
        Recorded output = result.output();
        addStream(fields, "stdout", output.whole() ? output.stdout() : null);
        addStream(fields, "stderr", output.whole() ? output.stderr() : null);
        if (!output.whole()) {
            fields.put("output_bytes", output.total());
        }
    }

    private static void addStream(Map<String, @Nullable Object> fields, String name, byte @Nullable [] bytes) {
        String text = bytes == null ? null : Text.orNull(bytes);
        fields.put(name, text);
        if (bytes != null && text == null) {
            fields.put(name + "_base64", Base64.getEncoder().encodeToString(bytes));
        }
    }

    /** The fields of an entry without payloads. */
    public static Map<String, @Nullable Object> entry(Entry entry) {
        Map<String, @Nullable Object> fields = new LinkedHashMap<>();
        fields.put("key", entry.address().key());
        fields.put("scope", entry.address().scope());
        fields.put("operation", entry.address().operation());
        fields.put("state", entry.state().word());
        fields.put("attempt", entry.attempt());
        fields.put("fence", entry.fence().number());
        fields.put("owner", entry.tenure().owner().name());
        Mark mark = entry.tenure().lastMark();
        fields.put("last_mark", mark == null ? null : mark.name());
        fields.put(
                "child_pid",
                mark == null || mark.child() == null ? null : mark.child().pid());
        Doubt doubt = entry.doubt();
        fields.put("doubt", doubt == null ? null : Doubts.reason(entry, doubt));
        fields.put("doubt_since", doubt == null ? null : text(Doubts.since(entry, doubt)));
        Failure failure = entry.failure();
        fields.put("failure", failure == null ? null : failure.type());
        fields.put("failure_message", Doubts.message(entry));
        fields.put("note", entry.note());
        fields.put("resolution", resolution(entry.resolution()));
        fields.put("created_at", text(entry.times().created()));
        fields.put("claimed_at", text(entry.times().claimed()));
        fields.put("settled_at", text(entry.times().settled()));
        fields.put("expires_at", text(entry.times().expires()));
        fields.put("replays", entry.replays());
        fields.put("labels", entry.labels());
        return fields;
    }

    /** The decision of a person; null where none resolved the entry. */
    public static @Nullable Map<String, @Nullable Object> resolution(@Nullable ResolvedBy by) {
        if (by == null) {
            return null;
        }
        Map<String, @Nullable Object> fields = new LinkedHashMap<>();
        fields.put("who", by.who());
        fields.put("why", by.why());
        fields.put("request", by.request());
        fields.put("caller", by.caller());
        return fields;
    }

    private static @Nullable String text(@Nullable Instant instant) {
        return instant == null ? null : Iso.text(instant);
    }
}
