package dev.idem.spring;

import dev.idem.Address;
import dev.idem.Entry;
import dev.idem.Idem;
import dev.idem.Policy;
import dev.idem.Resolution;
import dev.idem.State;
import dev.idem.agent.inbox.Poison;
import dev.idem.http.StoredResponse;
import dev.idem.spi.Doubt;
import dev.idem.spi.Failure;
import dev.idem.spi.browse.Browsable;
import dev.idem.spi.browse.Page;
import dev.idem.spi.browse.Query;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiPredicate;
import java.util.function.Supplier;
import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.boot.actuate.endpoint.web.annotation.WebEndpoint;
import org.springframework.lang.Nullable;

/**
 * {@code /actuator/idem}: lists the entries in doubt, the webhook events that were given up and the handlers that are not
 * guarded; resolves an entry, and has an event handled again.
 *
 * <p>Every parameter is optional for Spring, so that this class can say what is missing: Spring Boot hides the messages
 * of its own refusals.
 */
@WebEndpoint(id = "idem")
public final class IdemEndpoint {
    private final Idem idem;
    private final Policy requests;
    private final Supplier<List<UnguardedHandler>> unguarded;
    private final BiPredicate<String, String> again;

    /**
     * Shows the entries of this instance.
     *
     * @param requests the policy of requests, which knows how long a response is kept
     * @param again has an event handled again, by its source and key
     */
    IdemEndpoint(
            Idem idem, Policy requests, Supplier<List<UnguardedHandler>> unguarded, BiPredicate<String, String> again) {
        this.idem = idem;
        this.requests = requests;
        this.unguarded = unguarded;
        this.again = again;
    }

    /**
     * Lists entries in doubt, the newest claim first, without results and messages of exceptions.
     *
     * @param after the {@code next} of the page before
     */
    @ReadOperation
    public WebEndpointResponse<Map<String, Object>> list(@Nullable String after) {
        Browsable ledger = idem.ledger().as(Browsable.class).orElse(null);
        Map<String, Object> answer = new LinkedHashMap<>();
        if (ledger == null) {
            answer.put("message", "This ledger can't list entries. Find them by scope, operation and key.");
        } else {
            try {
                Page page = ledger.browse(Query.all().withStates(State.IN_DOUBT).withAfter(after));
                answer.put(
                        "inDoubt",
                        page.entries().stream().map(IdemEndpoint::fields).toList());
                if (page.next() != null) {
                    answer.put("next", page.next());
                }
                answer.put(
                        "poison",
                        Poison.of(idem).list().stream()
                                .map(IdemEndpoint::poisoned)
                                .toList());
            } catch (IllegalArgumentException e) {
                return refused(400, "The parameter 'after' is the 'next' of an earlier page: " + e.getMessage() + ".");
            }
        }
        answer.put("unguarded", unguarded.get());
        return new WebEndpointResponse<>(answer);
    }

    /** Without body and failure, which may hold secrets. */
    private static Map<String, Object> poisoned(Poison.Poisoned event) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("source", event.source());
        fields.put("key", event.key());
        fields.put("attempts", event.attempts());
        fields.put("since", event.since().toString());
        return fields;
    }

    private static Map<String, Object> fields(Entry entry) {
        Map<String, Object> fields = address(entry.address());
        fields.put("fence", entry.fence().number());
        fields.put("attempt", entry.attempt());
        fields.put("begun", entry.times().claimed().toString());
        Doubt doubt = entry.doubt();
        if (doubt != null) {
            fields.put("since", doubt.since().toString());
            fields.put("cause", doubt.reason());
        }
        Failure failure = entry.failure();
        if (failure != null) {
            fields.put("exception", failure.type());
        }
        fields.put("owner", entry.tenure().owner().name());
        fields.put("labels", entry.labels());
        return fields;
    }

    /**
     * Resolves an entry in doubt, after a person has found out whether the effect took place. Or, with a source, has an
     * event handled again that was given up.
     *
     * @param source the source of the event; absent for an entry in doubt
     * @param scope the scope of the entry; {@code default} if absent
     * @param operation the operation of the entry
     * @param key the key of the entry
     * @param fence the fence that the list has shown; a newer entry is then left alone
     * @param as {@code complete}, {@code complete_without_result} or {@code failed}
     * @param result the result as JSON text; of a request, the body of its response
     * @param status the status of the response; 200 if absent
     * @param contentType the type of the response's body; JSON if absent
     * @param by the person; the authenticated caller if absent
     * @param why how the person found out
     */
    @WriteOperation
    public WebEndpointResponse<Map<String, Object>> resolve(
            SecurityContext caller,
            @Nullable String source,
            @Nullable String scope,
            @Nullable String operation,
            @Nullable String key,
            @Nullable String fence,
            @Nullable String as,
            @Nullable String result,
            @Nullable String status,
            @Nullable String contentType,
            @Nullable String by,
            @Nullable String why) {
        try {
            if (source != null) {
                return sendAgain(source, key, as);
            }
            Address address = new Address(
                    scope == null ? Address.DEFAULT_SCOPE : scope, given("operation", operation), given("key", key));
            String person = by == null && caller.getPrincipal() != null
                    ? caller.getPrincipal().getName()
                    : by;
            Decision decision = Decision.of(address, as, result, status, contentType);
            String name = given("by", person);
            String reason = given("why", why);
            Entry entry = idem.find(address).orElse(null);
            if (entry == null) {
                String hint = scope == null ? " No scope was sent; that of a request begins with http:" : "";
                return refused(
                        404,
                        "There is no entry " + address + "." + hint + " GET this endpoint for the entries in doubt.");
            } else if (fence != null
                    && !fence.equals(String.valueOf(entry.fence().number()))) {
                return refused(409, "The entry has changed since its fence was " + fence + ". Look at it again.");
            } else if (!decision.write(resolution(entry, caller).by(name).because(reason))) {
                return refused(409, notWritten(entry));
            }
            Map<String, Object> answer = address(address);
            answer.put("resolved", decision.as());
            return new WebEndpointResponse<>(answer);
        } catch (IllegalArgumentException e) {
            return refused(400, e.getMessage() + ". Nothing was changed.");
        }
    }

    private WebEndpointResponse<Map<String, Object>> sendAgain(
            String source, @Nullable String key, @Nullable String as) {
        if (key == null || !"again".equals(as)) {
            throw new IllegalArgumentException("send source, key and 'as' with the value again for an event that was "
                    + "given up; without 'source' for an entry in doubt");
        } else if (!again.test(source, key)) {
            return refused(
                    404, "No event of '" + source + "' with this key was given up. GET this endpoint for the list.");
        }
        return new WebEndpointResponse<>(Map.of("source", source, "key", key, "again", true));
    }

    private Resolution resolution(Entry entry, SecurityContext caller) {
        boolean isRequest = StoredResponse.answers(entry.address());
        Resolution resolution = idem.resolve(entry);
        if (caller.getPrincipal() != null) {
            resolution = resolution.through(caller.getPrincipal().getName());
        }
        return isRequest && requests.hasRetention()
                ? resolution.retention(requests.retention().keep())
                : resolution;
    }

    private String notWritten(Entry entry) {
        State now = idem.find(entry.address()).map(Entry::state).orElse(entry.state());
        return switch (now) {
            case COMPLETE ->
                "The entry is complete, so there is nothing to resolve. Send the request again for its result.";
            case IN_PROGRESS -> "An attempt is running. Wait until it has ended, then look at the entry again.";
            case FAILED ->
                "The entry has failed without an effect, so there is nothing to resolve: its key may run again.";
            default -> "The entry has changed. Look at it again.";
        };
    }

    private static String given(String name, @Nullable String value) {
        if (value == null || value.isBlank()) {
            throw new IllegalArgumentException(
                    "'" + name + "' is missing. Send JSON with scope, operation, key, as (complete, "
                            + "complete_without_result or failed), result (JSON text), by (your name) and why");
        }
        return value;
    }

    private static Map<String, Object> address(Address address) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("scope", address.scope());
        fields.put("operation", address.operation());
        fields.put("key", address.key());
        return fields;
    }

    private static WebEndpointResponse<Map<String, Object>> refused(int status, String message) {
        return new WebEndpointResponse<>(Map.of("message", message), status);
    }
}
