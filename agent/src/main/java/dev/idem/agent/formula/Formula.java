package dev.idem.agent.formula;

import dev.idem.Key;
import dev.idem.internal.json.JsonValues;
import java.util.Arrays;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Formulas of other programs for their keys, so that both sides agree on them. For your own keys, use
 * {@link Key#derive}.
 *
 * <p>Inputs are JSON values: strings, integers, doubles, booleans, null, lists, and maps with string keys.
 */
public enum Formula {
    /** agentidemp: {@code ik_} and 32 digits of SHA-256. Input: a string. */
    AGENTIDEMP_SHA256_HEX("agentidemp.sha256_hex"),

    /** agentidemp: as {@link #AGENTIDEMP_SHA256_HEX}, with a zero byte between the two. Input: [scope, content]. */
    AGENTIDEMP_SCOPED_SHA256_HEX("agentidemp.scoped_sha256_hex"),

    /** agentidemp: the same for any number of parts. Input: [scope, part, …]. */
    AGENTIDEMP_SCOPED_KEY("agentidemp.scoped_key"),

    /** agentidemp: a version 5 UUID in the DNS name space. Input: a string. */
    AGENTIDEMP_UUID5_DNS("agentidemp.uuid5_key(dns)"),

    /** tool_result_cache: SHA-256 of the tool, a zero byte, and compact JSON. Input: {tool, args}. */
    TOOL_RESULT_CACHE_MAKE_KEY("tool_result_cache.make_key"),

    /** tool_call_dedup: SHA-256 of the arguments as Python writes JSON. Input: the arguments. */
    TOOL_CALL_DEDUP_HASH("tool_call_dedup.hash"),

    /** {@code idem_} and 24 digits of SHA-256 over the arguments of a Python call. Input: {args, kwargs}. */
    MAKE_IDEMPOTENCY_KEY("make_idempotency_key"),

    /** 32 digits of SHA-256 over one tool call of a session. Input: {session, tool, inputs}. */
    AGENT_SESSION_KEY("agent_session_key"),

    /** SHA-256 of a text such as {@code create_subscription:user_123:pro}. Input: a string. */
    PLAIN_SHA256("plain_sha256"),

    /**
     * SHA-256 of a webhook's payload as Python writes JSON, for payloads without an event id.
     * Input: the payload.
     */
    WEBHOOK_PAYLOAD_HASH("webhook_payload_hash"),

    /** 32 digits of SHA-256 over the operation, a colon, and Python's sorted items. Input: {operation, inputs}. */
    CLI_WORKAROUND_KEY("cli_workaround_key");

    private final String id;

    Formula(String id) {
        this.id = id;
    }

    /** The name by which files and command lines refer to the formula. */
    public String id() {
        return id;
    }

    /**
     * The formula with this id.
     *
     * @throws IllegalArgumentException if there is none; the message lists all ids
     */
    public static Formula named(String id) {
        for (Formula formula : values()) {
            if (formula.id.equals(id)) {
                return formula;
            }
        }
        String known = Arrays.stream(values()).map(Formula::id).collect(Collectors.joining(", "));
        throw new IllegalArgumentException("There is no formula \"" + id + "\"; known are " + known);
    }

    /**
     * The key that the other program derives from this input.
     *
     * @throws IllegalArgumentException if the formula does not take such an input
     * @throws dev.idem.JsonException if the input has no JSON form, or contains itself
     */
    public Key key(@Nullable Object input) {
        // Called only for its checks: it refuses cycles, NaN and lone surrogates.
        Object unused = JsonValues.of(input);
        try {
            return Key.of(make(new FormulaInput("the input", input)));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("Formula " + id + ": " + e.getMessage(), e);
        }
    }

    private String make(FormulaInput input) {
        return switch (this) {
            case AGENTIDEMP_SHA256_HEX -> "ik_" + TextDigest.sha256(input.text(), 32);
            case AGENTIDEMP_SCOPED_SHA256_HEX -> "ik_" + TextDigest.sha256(input.joined(2, 2), 32);
            case AGENTIDEMP_SCOPED_KEY -> "ik_" + TextDigest.sha256(input.joined(1, Integer.MAX_VALUE), 32);
            case AGENTIDEMP_UUID5_DNS -> TextDigest.uuid5(input.text());
            case TOOL_RESULT_CACHE_MAKE_KEY -> {
                String arguments = PythonJson.compact(input.member("args").value());
                yield TextDigest.sha256(input.member("tool").text() + "\0" + arguments, 64);
            }
            case TOOL_CALL_DEDUP_HASH -> TextDigest.sha256(PythonJson.spaced(input.value()), 64);
            case MAKE_IDEMPOTENCY_KEY -> {
                String call =
                        PythonJson.spaced(input.withMembers("args", "kwargs").value());
                yield "idem_" + TextDigest.sha256(call, 24);
            }
            case AGENT_SESSION_KEY -> {
                FormulaInput call = input.withMembers("session", "tool", "inputs");
                yield TextDigest.sha256(PythonJson.spaced(call.value()), 32);
            }
            case PLAIN_SHA256 -> TextDigest.sha256(input.text(), 64);
            case WEBHOOK_PAYLOAD_HASH -> TextDigest.sha256(PythonJson.spaced(input.map()), 64);
            case CLI_WORKAROUND_KEY -> {
                String items = PythonRepr.ofSortedItems(input.member("inputs").map());
                yield TextDigest.sha256(input.member("operation").text() + ":" + items, 32);
            }
        };
    }
}
