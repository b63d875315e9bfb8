package dev.idem.server;

import dev.idem.Address;
import dev.idem.Entry;
import dev.idem.internal.call.Recovery;
import dev.idem.seal.SealedLedger;
import dev.idem.spi.Doubt;
import dev.idem.spi.Failure;
import dev.idem.spi.Mark;
import dev.idem.spi.ResolvedBy;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** An entry as fields, without its payload. */
final class EntryFields {
    private EntryFields() {}

    static Map<String, @Nullable Object> of(Entry entry) {
        Mark mark = entry.tenure().lastMark();
        Doubt doubt = entry.doubt();
        Failure failure = entry.failure();
        return new Answer()
                .with("key", entry.address().key())
                .with("scope", entry.address().scope())
                .with("operation", entry.address().operation())
                .with("state", entry.state().word())
                .with("attempt", entry.attempt())
                .with("fence", entry.fence())
                .with("owner", entry.tenure().owner().name())
                .with("last_mark", mark == null ? null : mark.name())
                .with(
                        "child_pid",
                        mark == null || mark.child() == null
                                ? null
                                : mark.child().pid())
                .with("fingerprint", entry.fingerprints().identity())
                .with("may_act_until", entry.tenure().limit().wall())
                .with("doubt", doubt == null ? null : doubt.reason())
                .with("doubt_since", doubt == null ? null : doubt.since())
                .with("recovery", Recovery.declared(entry).word())
                .with("failure", failure == null ? null : failure.type())
                .with("failure_message", message(entry))
                .with("note", entry.note())
                .with("resolution", entry.resolution() == null ? null : of(entry.resolution()))
                .with("created_at", entry.times().created())
                .with("claimed_at", entry.times().claimed())
                .with("settled_at", entry.times().settled())
                .with("expires_at", entry.times().expires())
                .with("replays", entry.replays())
                .with("labels", entry.labels())
                .with("parent", entry.parent() == null ? null : of(entry.parent()))
                .members();
    }

    /** A person's decision. The names of its members are those of the stored form. */
    static Map<String, @Nullable Object> of(ResolvedBy by) {
        return new Answer()
                .with("who", by.who())
                .with("why", by.why())
                .with("request", by.request())
                .with("caller", by.caller())
                .members();
    }

    static Map<String, @Nullable Object> of(Address address) {
        return new Answer()
                .with("scope", address.scope())
                .with("operation", address.operation())
                .with("key", address.key())
                .members();
    }

    /** The message of the attempt that failed or is in doubt; null if there is none, or it is sealed. */
    static @Nullable String message(Entry entry) {
        Failure failure = entry.failure();
        return failure == null
                        || failure.message().isEmpty()
                        || SealedLedger.keyIdOf(entry).isPresent()
                ? null
                : failure.message();
    }
}
