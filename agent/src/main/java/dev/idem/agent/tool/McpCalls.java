package dev.idem.agent.tool;

import dev.idem.InDoubtException;
import dev.idem.Policy;
import dev.idem.SideEffect;
import dev.idem.agent.tool.ToolAnswer.Status;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The rules that all guards of MCP tool calls share: names in {@code _meta}, keys, policies and kinds of answers. */
public final class McpCalls {
    /** The key of a call: of the host in a request, of the entry in an answer. */
    public static final String KEY = "dev.idem/key";

    /** The task that a call belongs to. */
    public static final String SESSION = "dev.idem/session";

    /** How a call ended; see {@link Status#word}. */
    public static final String STATUS = "dev.idem/status";

    /** The key under which a person approves or denies a call that is held. */
    public static final String APPROVAL = "dev.idem/approval";

    /** The session of calls that name none. */
    public static final String DEFAULT_SESSION = "default";

    /** How long a completed call without a given key answers its duplicates in {@link #DEFAULT_SESSION}. */
    public static final Duration REPEAT_WINDOW = Duration.ofMinutes(15);

    /** Hosts stop to listen after about 60 seconds. */
    private static final Duration WAIT = Duration.ofSeconds(50);

    /** How long a call may run without being doubted by its duplicates. Its late result still counts. */
    private static final Duration TIME_LIMIT = Duration.ofMinutes(10);

    private static final Set<String> OF_MODELS = Set.of("idempotency_key", "idempotencyKey", "idempotency-key");

    /** Hosts count errors, and stop to use a server that has many. */
    private static final Set<Status> NO_ERRORS =
            EnumSet.of(Status.IN_FLIGHT, Status.NEEDS_APPROVAL, Status.DONE_WITHOUT_RESULT, Status.RECORDED);

    private McpCalls() {}

    /**
     * The key or session that a host has given; null where it has given none.
     *
     * @param field names the field for people, such as {@code _meta["dev.idem/key"]}
     * @throws IllegalArgumentException if it is blank, or neither a text nor a number: taken for none, it would make this
     *     call one with others. The message says what to send
     */
    public static @Nullable String given(String field, @Nullable Object value) {
        if (value == null) {
            return null;
        }
        boolean isName = value instanceof String || value instanceof Number;
        if (!isName || String.valueOf(value).isBlank()) {
            throw new IllegalArgumentException(field + " is " + (isName ? "blank" : "no text")
                    + "; send a text such as \"order-7\", or leave the field out. Nothing ran");
        }
        return String.valueOf(value);
    }

    /** The member of {@code _meta} with this name, for people. */
    public static String meta(String name) {
        return "_meta[\"" + name + "\"]";
    }

    /** The arguments without keys that a model made: models make a new one for every attempt. */
    public static Map<String, @Nullable Object> identifying(Map<?, ?> arguments) {
        Map<String, @Nullable Object> identifying = without(arguments);
        if (identifying.get("meta") instanceof Map<?, ?> meta) {
            identifying.put("meta", without(meta));
        }
        return identifying;
    }

    /**
     * The policy of a call: what was declared, over what suits MCP hosts.
     *
     * @param repeatWindow the retention of a completed call that may be meant again; null where it is the usual one
     */
    public static Policy policy(Policy declared, @Nullable Duration repeatWindow) {
        Policy policy = repeatWindow == null || declared.hasRetention() || declared.sideEffect() == SideEffect.READ
                ? declared
                : declared.retention(repeatWindow);
        Policy usual = Policy.unset().timeLimit(TIME_LIMIT);
        return policy.over(policy.sideEffect() == SideEffect.DESTRUCTIVE ? usual : usual.waitFor(WAIT));
    }

    /** Whether an argument with this name is a key that a model made. */
    public static boolean isKeyOfModel(@Nullable Object name) {
        return name != null && OF_MODELS.contains(name);
    }

    /**
     * Whether an answer in words is an error.
     *
     * @param checked whether clients check results against a schema, which words do not fit
     */
    public static boolean isError(ToolAnswer answer, boolean checked) {
        return checked || !NO_ERRORS.contains(answer.status());
    }

    /**
     * The text beside an error of a tool: it tells the model that the call is held now, and how it is released.
     *
     * @param asks whether the next call asks the person at the host
     */
    public static String held(ToolAnswer answer, boolean asks) {
        Throwable cause = answer instanceof ToolAnswer.Refused refused ? refused.cause() : null;
        boolean findsOut = cause != null
                && Arrays.stream(cause.getSuppressed())
                        .anyMatch(each -> each instanceof InDoubtException doubt && doubt.mayTryAgain());
        String key = answer.address().map(address -> address.key()).orElse("");
        String next = findsOut
                ? "Call it again with exactly the same arguments, now or in some minutes: it is then found out."
                : asks
                        ? "If it is still wanted, call it again with exactly the same arguments: the user is then asked "
                                + "whether it took effect."
                        : "Do not call it again; tell the user that a person can release it: 'idem why " + key
                                + "' tells how.";
        return "Idem: an error does not tell what the tool did before it failed. So this call (key " + key
                + ") is held now: it is not made a second time until it is known that it had no effect. " + next
                + " Other arguments make another call.";
    }

    /**
     * The text beside a replayed result, for the model, if nothing is declared about the tool.
     *
     * @param now the time, for the age of the result
     * @param until when the same call runs again by itself; null where it does not
     */
    public static String replayed(ToolAnswer.Replayed answer, Instant now, @Nullable Instant until) {
        Instant then = answer.outcome().executedAt();
        return "Idem: this is the recorded result of the same call, made " + ago(Duration.between(then, now)) + " ("
                + then.truncatedTo(ChronoUnit.SECONDS)
                + "). Nothing was run now. If the same call is meant a second time, "
                + (until == null
                        ? "the host has to give it a key of its own."
                        : "make it after "
                                + until.truncatedTo(ChronoUnit.SECONDS).plusSeconds(1)
                                + ", or let the host give it a key of its own.");
    }

    private static String ago(Duration age) {
        long seconds = Math.max(0, age.toSeconds());
        return seconds < 60
                ? seconds + " seconds ago"
                : seconds < 3600 ? seconds / 60 + " minutes ago" : seconds / 3600 + " hours ago";
    }

    /** The {@code _meta} of an answer of the guard. */
    public static Map<String, Object> about(ToolAnswer answer) {
        Map<String, Object> about = new LinkedHashMap<>();
        about.put(STATUS, answer.status().word());
        answer.address().ifPresent(address -> about.put(KEY, address.key()));
        if (answer instanceof ToolAnswer.Refused refused && refused.approval() != null) {
            about.put(APPROVAL, refused.approval());
        }
        return about;
    }

    private static Map<String, @Nullable Object> without(Map<?, ?> members) {
        Map<String, @Nullable Object> rest = new LinkedHashMap<>();
        members.forEach((name, value) -> {
            if (!isKeyOfModel(name)) {
                rest.put(String.valueOf(name), value);
            }
        });
        return rest;
    }
}
