package dev.idem.mcp.guard;

import dev.idem.Key;
import dev.idem.agent.tool.McpCalls;
import dev.idem.internal.json.JsonPointer;
import dev.idem.internal.key.Identity;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The identity of a call: a given key, or its arguments. Never the id of the JSON-RPC request, which hosts use again, and
 * never a key that a model put into the arguments, because models make a new one for every attempt.
 *
 * @param given the key that the host or the rules name; null where it is derived
 * @param arguments without keys that a model made. What a server asked for in an earlier round is not part of it: all
 *     rounds are one call
 */
public record CallKey(@Nullable String given, Map<String, @Nullable Object> arguments) {
    static CallKey of(HostCall host, ToolRule rule) {
        Message request = host.request();
        Map<?, ?> arguments = request.param("arguments") instanceof Map<?, ?> map ? map : Map.of();
        CallKey ofArguments = of(arguments, rule);
        String told = BadCallException.given(McpCalls.meta(McpCalls.KEY), request.meta(McpCalls.KEY));
        told = told == null ? BadCallException.given("params.idempotencyKey", request.param("idempotencyKey")) : told;
        told = told == null ? host.keyBeside().orElse(null) : told;
        return told == null ? ofArguments : new CallKey(told, ofArguments.arguments);
    }

    /** The key of a call with these arguments, without a key of the host. */
    public static CallKey of(Map<?, ?> arguments, ToolRule rule) {
        Object told = rule.key() == null ? null : JsonPointer.find(arguments, rule.key());
        return new CallKey(BadCallException.given("the argument " + rule.key(), told), McpCalls.identifying(arguments));
    }

    public static String digest(String text) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    boolean isDerived() {
        return given == null;
    }

    /** The identity as labels, by which a person finds the call. Fields that sound like secrets are left out. */
    Map<String, String> labels(ToolRule rule) {
        return Identity.of(identity(rule)).labels();
    }

    private Map<String, @Nullable Object> identity(ToolRule rule) {
        Map<String, @Nullable Object> identity = new LinkedHashMap<>(arguments);
        if (!rule.identity().isEmpty()) {
            identity.keySet().retainAll(rule.identity());
        }
        return identity;
    }

    /** The key of the entry. */
    public String in(String scope, String tool, ToolRule rule) {
        if (given != null) {
            return Key.ofId(given).value();
        }
        return Key.derive(scope, tool, identity(rule)).value();
    }
}
