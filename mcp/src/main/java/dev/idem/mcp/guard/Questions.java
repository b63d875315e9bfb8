package dev.idem.mcp.guard;

import dev.idem.Address;
import dev.idem.Entry;
import dev.idem.Idem;
import dev.idem.Json;
import dev.idem.LedgerException;
import dev.idem.Resolution;
import dev.idem.State;
import dev.idem.spi.Failure;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Asks the person at a host how a call in doubt ended, and settles the entry as they say. A question is about one attempt,
 * and is asked once. Thread-safe.
 */
public final class Questions {
    /** The name of the question among the requests for input of a result. */
    static final String NAME = "dev.idem/outcome";

    public static final String HAPPENED = "it happened";
    public static final String RUN_IT = "it did not happen, run it";
    static final String LEAVE_IT = "leave it";

    private static final System.Logger LOG = System.getLogger("dev.idem.mcp");
    private static final String METHOD = "elicitation/create";
    private static final String RESPONSES = "inputResponses";
    private static final String STATE = "requestState";
    private static final int LONGEST_WHY = 500;
    private static final int MOST = 1000;

    /** A call waits as long as a duplicate does. The person may answer later. */
    private static final Duration WAIT = Duration.ofSeconds(50);

    /** A host that was lost with its question is not the end of all questions. */
    private static final Duration FORGOTTEN = Duration.ofMinutes(10);

    private static final Map<String, Object> FORM = Map.of(
            "type",
            "object",
            "properties",
            Map.of(
                    "outcome",
                    Map.of("type", "string", "title", "What happened?", "enum", List.of(HAPPENED, RUN_IT, LEAVE_IT)),
                    "why",
                    Map.of("type", "string", "title", "How do you know?", "minLength", 1, "maxLength", LONGEST_WHY)),
            "required",
            List.of("outcome", "why"));

    private final Idem idem;
    private final String prefix = "idem-ask-" + UUID.randomUUID() + "-";
    private final AtomicLong number = new AtomicLong();
    private final Map<String, Asked> byId = newest();
    private final Map<Address, Asked> byEntry = newest();

    Questions(Idem idem) {
        this.idem = idem;
    }

    private static <K, V> Map<K, V> newest() {
        return Collections.synchronizedMap(new LinkedHashMap<>() {
            private static final long serialVersionUID = 1;

            @Override
            protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
                return size() > MOST;
            }
        });
    }

    /**
     * A question.
     *
     * @param credential of the host that was asked: nobody with another one may answer
     * @param sent whether it was put to the host
     * @param settled whether the person has settled the entry
     */
    private record Asked(
            String id,
            Entry entry,
            Client client,
            Optional<String> credential,
            long since,
            AtomicBoolean sent,
            CompletableFuture<Boolean> settled) {
        /** Whether it still stands: for this attempt, and not for so long that its host may be lost. */
        boolean standsFor(Entry other) {
            return entry.fence().equals(other.fence())
                    && (settled.isDone() || System.nanoTime() - since < FORGOTTEN.toNanos());
        }
    }

    /** The question about an attempt, which may have been asked before; null where the host can't ask its user. */
    private synchronized @Nullable Asked question(HostCall host, Entry entry) {
        Client client = host.client();
        if (client == null || !client.asks()) {
            return null;
        }
        Asked before = byEntry.get(entry.address());
        if (before != null && before.standsFor(entry)) {
            return before;
        }
        Asked asked = new Asked(
                prefix + number.incrementAndGet(),
                entry,
                client,
                host.credential(),
                System.nanoTime(),
                new AtomicBoolean(),
                new CompletableFuture<>());
        byEntry.put(entry.address(), asked);
        byId.put(asked.id, asked);
        return asked;
    }

    /**
     * Asks the person, and waits for a while. A later answer still settles the entry.
     *
     * @return whether the entry is settled, so that the call is to be looked at again
     */
    boolean ask(HostCall host, Entry entry) {
        Asked asked = question(host, entry);
        if (asked == null) {
            return false;
        }
        if (asked.sent.compareAndSet(false, true) && !host.toHost(request(asked))) {
            // The next call may reach its host.
            byEntry.remove(entry.address(), asked);
            asked.settled.complete(false);
        }
        try {
            return asked.settled.get(WAIT.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        } catch (ExecutionException | TimeoutException e) {
            LOG.log(Level.DEBUG, "nobody has answered yet", e);
            return false;
        }
    }

    /** The result with which a server without sessions asks; null where the question was asked before, or can't be. */
    @Nullable
    String inputRequired(HostCall host, Entry entry) {
        Asked asked = question(host, entry);
        if (asked == null || !asked.sent.compareAndSet(false, true)) {
            return null;
        }
        Map<String, Object> result = new LinkedHashMap<>();
        result.put("resultType", "input_required");
        result.put("inputRequests", Map.of(NAME, Map.of("method", METHOD, "params", params(entry))));
        result.put(STATE, state(entry));
        return Json.write(result);
    }

    /**
     * Takes the response of a person out of a call, so that it does not reach the server, and settles the entry of the call
     * by it.
     */
    void take(HostCall host, Address address) {
        Message request = host.request();
        if (!(request.param(RESPONSES) instanceof Map<?, ?> responses) || !responses.containsKey(NAME)) {
            return;
        }
        byte[] rest = responses.size() == 1
                ? Splice.remove(request.bytes(), "params", RESPONSES)
                : Splice.remove(request.bytes(), "params", RESPONSES, NAME);
        Object state = request.param(STATE);
        Entry entry = idem.find(address)
                .filter(now -> now.state() == State.IN_DOUBT && state(now).equals(state))
                .orElse(null);
        if (state instanceof String told && told.startsWith(NAME)) {
            rest = Splice.remove(rest, "params", STATE);
        }
        host.sendInstead(rest);
        Asked asked = entry == null ? null : question(host, entry);
        if (asked != null) {
            asked.sent.set(true);
            asked.settled.complete(settle(asked, responses.get(NAME)));
        }
    }

    /** The question is about one attempt: what is said about it must not settle another. */
    private static String state(Entry entry) {
        return NAME + "#" + entry.fence();
    }

    /**
     * Takes what a host has answered.
     *
     * @return whether it answers a question of the guard
     */
    boolean answeredBy(Message response, Optional<String> credential) {
        if (!(response.members().get("id") instanceof String id && id.startsWith(prefix))) {
            return false;
        }
        Asked asked = byId.get(id);
        if (asked != null && asked.credential.equals(credential) && byId.remove(id, asked)) {
            // The ledger may be slow, and the host has other messages.
            Workers.daemon(() -> asked.settled.complete(
                            settle(asked, response.members().get("result"))))
                    .start();
        }
        return true;
    }

    /** No host is there any more, so nobody will answer. */
    void hostIsGone() {
        List.copyOf(byId.values()).forEach(asked -> asked.settled.complete(false));
    }

    /** Whether the person has settled the entry. Whoever leaves out the outcome or the reason has not. */
    private boolean settle(Asked asked, @Nullable Object response) {
        Map<?, ?> said = response instanceof Map<?, ?> members && "accept".equals(members.get("action"))
                ? members.get("content") instanceof Map<?, ?> content ? content : Map.of()
                : Map.of();
        if (!(said.get("why") instanceof String why) || why.isBlank()) {
            return false;
        }
        Resolution person = idem.resolve(asked.entry).by(asked.client.user()).because(OneLine.of(why, LONGEST_WHY));
        try {
            // Where nothing was written the entry has changed meanwhile, and is to be looked at as well.
            if (HAPPENED.equals(said.get("outcome"))) {
                String words = "The user says that this call has taken effect: " + why;
                person.asComplete(Json.write(Map.of("content", List.of(Map.of("type", "text", "text", words)))));
            } else if (RUN_IT.equals(said.get("outcome"))) {
                person.asFailed();
            } else {
                return false;
            }
            return true;
        } catch (LedgerException e) {
            LOG.log(Level.WARNING, "what the user has said could not be recorded", e);
            byEntry.remove(asked.entry.address(), asked);
            return false;
        }
    }

    private static byte[] request(Asked asked) {
        Map<String, Object> request = new LinkedHashMap<>();
        request.put("jsonrpc", "2.0");
        request.put("id", asked.id);
        request.put("method", METHOD);
        request.put("params", params(asked.entry));
        return Json.write(request).getBytes(StandardCharsets.UTF_8);
    }

    private static Map<String, Object> params(Entry entry) {
        String fields = new TreeMap<>(entry.labels())
                .entrySet().stream()
                        .map(label -> label.getKey() + "=" + label.getValue())
                        .collect(Collectors.joining(", "));
        Failure failure = entry.failure();
        String message =
                "Did this call of '" + OneLine.of(entry.address().operation(), 200) + "' take effect? It was made at "
                        + entry.times().claimed().truncatedTo(ChronoUnit.SECONDS)
                        + (fields.isEmpty() ? "" : " with " + fields) + ", and it is not known how it ended"
                        + (failure == null ? "" : ": " + OneLine.of(String.valueOf(failure.message()), 200))
                        + ". Look before you answer, and make sure that the server is not still at work: the call is made again only if you say "
                        + "that it did not happen.";
        return Map.of("message", message, "requestedSchema", FORM);
    }
}
