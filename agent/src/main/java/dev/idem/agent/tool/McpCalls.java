package dev.idem.agent.tool;

import dev.idem.Policy;
import dev.idem.SideEffect;
import dev.idem.agent.tool.ToolAnswer.Status;
import java.time.Duration;
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

    /**
     * Parse error, invalid request, unknown method; wrong headers, a revision that is not supported; the user has to visit
     * a page first. Not −32021: a tool that asks its host for something the host can't do may have acted before.
     */
    private static final Set<Long> NOTHING_RAN = Set.of(-32700L, -32600L, -32601L, -32020L, -32022L, -32042L);

    private static final long INVALID_PARAMS = -32602;

    /** Hosts count errors, and stop to use a server that has many. */
    private static final Set<Status> NO_ERRORS =
            EnumSet.of(Status.IN_FLIGHT, Status.NEEDS_APPROVAL, Status.DONE_WITHOUT_RESULT, Status.RECORDED);

    private McpCalls() {}

    /** The key that a host has given; null where this is no text or number, or blank. */
    public static @Nullable String given(@Nullable Object told) {
        boolean isKey = told instanceof String || told instanceof Number;
        return isKey && !String.valueOf(told).isBlank() ? String.valueOf(told) : null;
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
     * Whether a JSON-RPC error with this code says that nothing ran.
     *
     * @param checked whether the server checks the results of the tool. Such servers say "invalid params" also about a
     *     result, after the tool has acted
     */
    public static boolean saysNothingRan(long code, boolean checked) {
        return NOTHING_RAN.contains(code) || (!checked && code == INVALID_PARAMS);
    }

    /**
     * Whether an answer in words is an error.
     *
     * @param checked whether clients check results against a schema, which words do not fit
     */
    public static boolean isError(ToolAnswer answer, boolean checked) {
        return checked || !NO_ERRORS.contains(answer.status());
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
