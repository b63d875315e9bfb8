package dev.idem.agent.inbox;

import dev.idem.Address;
import dev.idem.Classifier;
import dev.idem.Entry;
import dev.idem.Idem;
import dev.idem.Json;
import dev.idem.Operation;
import dev.idem.Outcome;
import dev.idem.Policy;
import dev.idem.State;
import dev.idem.Warning;
import dev.idem.internal.codec.Codecs;
import dev.idem.internal.json.Utf8;
import dev.idem.spi.Labels;
import dev.idem.spi.Result;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The events of a source whose bodies are in the ledger: those that are recorded and not yet handled, and those that
 * were given up. Each is the result of an entry that may be written again without harm and does not expire.
 */
record KeptEvents(Idem idem, String scope) {
    /** The label of an event that was sent again: the fence of the dead letter that it replaces. */
    static final String AGAIN = "again";

    private static final Policy KEPT = Policy.unset()
            .rerunOnDoubt()
            .classify(thrown -> Classifier.Judgement.DEFINITE)
            .lease(Duration.ofSeconds(10))
            .waitFor(Duration.ofSeconds(2))
            .retention(Duration.ofDays(36_525));

    /** For reading only: the limit on the size applies when a result is written. */
    private static final Codecs READING = new Codecs(List.of(), Integer.MAX_VALUE, Integer.MAX_VALUE);

    /** How a write ended. */
    enum Written {
        /** This call has written it. */
        NOW,
        /** It was there. */
        BEFORE,
        /** The body is too large for the ledger. Nothing is kept. */
        TOO_LARGE,
        /** Another call writes it, or a cache has an older state. Nothing is known. */
        UNKNOWN
    }

    Written record(String key, Event event, @Nullable Entry replaced) {
        Operation<String> operation = operation(InboxPlan.RECORDED, key, event);
        return write(
                replaced == null
                        ? operation
                        : operation.label(AGAIN, replaced.fence().toString()),
                new Kept(event, 0, null));
    }

    /** Keeps an event that is given up. */
    void giveUp(String key, Event event, int attempts, @Nullable Throwable cause) {
        String failure = cause == null ? null : cause.toString();
        Operation<String> operation =
                operation(InboxPlan.DEAD_LETTER, key, event).label("attempts", Integer.toString(attempts));
        Written written = write(
                cause == null
                        ? operation
                        : operation.label("error", Labels.value(cause.getClass().getName())),
                new Kept(event, attempts, failure));
        if (written == Written.TOO_LARGE || written == Written.UNKNOWN) {
            throw new IllegalStateException("the event " + key + " of " + scope + " could not be kept as given up ("
                    + written + "); it stays due. If it is too large, raise largestResult(...) of Idem");
        }
    }

    private Operation<String> operation(String name, String key, Event event) {
        Operation<String> operation =
                idem.operation(name).scope(scope).key(key).policy(KEPT).returning(String.class);
        for (Map.Entry<String, String> attribute : event.attributes().entrySet()) {
            operation = operation.label(attribute.getKey(), Labels.value(attribute.getValue()));
        }
        String id = event.id().orElse(key);
        return id.equals(key) ? operation : operation.label("id", Labels.value(id));
    }

    private Written write(Operation<String> operation, Kept kept) {
        Outcome<String> outcome = operation.attempt(call -> kept.text());
        if (outcome instanceof Outcome.Unavailable
                && operation
                        .find()
                        .filter(entry -> entry.result() instanceof Result.Unavailable)
                        .filter(idem::forget)
                        .isPresent()) {
            // A process died between the write of an event that is too large and the removal of its empty entry.
            outcome = operation.attempt(call -> kept.text());
        }
        if (outcome instanceof Outcome.Done<String> done) {
            boolean tooLarge =
                    done.warnings().stream().anyMatch(warning -> warning.code() == Warning.Code.NOT_REPLAYABLE);
            if (tooLarge) {
                operation.find().ifPresent(idem::forget);
                return Written.TOO_LARGE;
            }
            return Written.NOW;
        }
        // A near cache may replay an entry that another process has forgotten since.
        return outcome instanceof Outcome.Replayed && operation.find().isPresent() ? Written.BEFORE : Written.UNKNOWN;
    }

    Optional<Entry> find(String operation, String key) {
        return idem.find(new Address(scope, operation, key));
    }

    /** The event in an entry; empty if the entry holds none. */
    static Optional<Kept> read(Entry entry) {
        if (entry.state() != State.COMPLETE
                || !(entry.result() instanceof Result.Stored stored)
                || stored.payload().bytes().length == 0) {
            return Optional.empty();
        }
        try {
            String text = (String) Objects.requireNonNull(READING.decode(stored.payload(), String.class));
            return Optional.of(Kept.of((Map<?, ?>) Objects.requireNonNull(Json.parse(text))));
        } catch (Exception e) {
            throw new IllegalStateException(entry.address() + " can't be read: " + e.getMessage(), e);
        }
    }

    /**
     * An event with what is known about its failures.
     *
     * @param attempts how often its handler was run before it was given up; 0 for a recorded event
     * @param failure the exception of the last attempt, as text
     */
    record Kept(Event event, int attempts, @Nullable String failure) {
        String text() {
            Map<String, Object> members = new LinkedHashMap<>();
            event.id().ifPresent(id -> members.put("id", id));
            members.put("attributes", event.attributes());
            if (attempts > 0) {
                members.put("attempts", attempts);
            }
            if (failure != null) {
                members.put("failure", failure);
            }
            byte[] body = event.bytes();
            String text = Utf8.textOrNull(body);
            members.put(
                    text == null ? "base64" : "body",
                    text == null ? Base64.getEncoder().encodeToString(body) : text);
            return Json.write(members);
        }

        static Kept of(Map<?, ?> members) {
            String id = (String) members.get("id");
            Object text = members.get("body");
            byte[] body = text == null
                    ? Base64.getDecoder().decode((String) Objects.requireNonNull(members.get("base64")))
                    : ((String) text).getBytes(StandardCharsets.UTF_8);
            Event event = id == null ? Event.ofBody(body) : Event.of(id, body);
            if (members.get("attributes") instanceof Map<?, ?> attributes) {
                for (Map.Entry<?, ?> attribute : attributes.entrySet()) {
                    event = event.with((String) attribute.getKey(), (String) attribute.getValue());
                }
            }
            int attempts = members.get("attempts") instanceof Number number ? number.intValue() : 0;
            return new Kept(event, attempts, (String) members.get("failure"));
        }
    }
}
