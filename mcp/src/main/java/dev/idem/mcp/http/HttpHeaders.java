package dev.idem.mcp.http;

import dev.idem.mcp.guard.CallKey;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;

/** The headers of a request or response that a proxy passes on. Names are compared without case. Immutable. */
public final class HttpHeaders {
    /** They belong to one connection, or are set anew. Nothing may be compressed, because the guard reads it. */
    private static final Set<String> NOT_PASSED = Set.of(
            "accept-encoding",
            "access-control-allow-origin",
            "access-control-expose-headers",
            "connection",
            "content-length",
            "date",
            "expect",
            "host",
            "http2-settings",
            "keep-alive",
            "origin",
            "proxy-authenticate",
            "proxy-authorization",
            "proxy-connection",
            "te",
            "trailer",
            "transfer-encoding",
            "upgrade");

    private static final Pattern JSON = Pattern.compile(
            "\\s*application/json\\s*(;\\s*charset\\s*=\\s*\"?utf-8\"?\\s*)?;?\\s*", Pattern.CASE_INSENSITIVE);
    private static final String BASE64 = "=?base64?";

    private final Map<String, List<String>> lines;

    private HttpHeaders(Map<String, List<String>> lines) {
        this.lines = lines;
    }

    /** Those of these headers that are passed on. */
    public static HttpHeaders passedOf(Map<String, List<String>> headers) {
        Map<String, List<String>> lines = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        headers.forEach((name, values) ->
                lines.computeIfAbsent(name, n -> new ArrayList<>()).addAll(values));
        List<String> ofConnection = List.copyOf(lines.getOrDefault("connection", List.of()));
        lines.keySet().removeIf(name -> name.startsWith(":") || !isPassed(name));
        ofConnection.forEach(names -> {
            for (String name : names.split(",", -1)) {
                lines.remove(name.strip());
            }
        });
        return new HttpHeaders(lines);
    }

    static boolean isPassed(String name) {
        return !NOT_PASSED.contains(name.toLowerCase(Locale.ROOT));
    }

    Map<String, List<String>> lines() {
        return lines;
    }

    public Optional<String> first(String name) {
        return lines.getOrDefault(name, List.of()).stream().findFirst();
    }

    public boolean isOfType(String type) {
        return first("content-type").orElse("").toLowerCase(Locale.ROOT).startsWith(type);
    }

    /** Whether a body is JSON in UTF-8. A server that reads it in another way would see another message. */
    boolean sayJson() {
        List<String> types = lines.getOrDefault("content-type", List.of());
        return types.size() == 1 && JSON.matcher(types.get(0)).matches();
    }

    /** The headers for a request that belongs to the same conversation and is no call. */
    HttpHeaders forStream() {
        return without("mcp-name", "mcp-method", "mcp-param-", "idempotency-key");
    }

    /** A digest of the headers that tell conversations apart. */
    String digest() {
        return CallKey.digest(forStream().lines.toString());
    }

    private HttpHeaders without(String... prefixes) {
        Map<String, List<String>> rest = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        rest.putAll(lines);
        for (String prefix : prefixes) {
            rest.keySet().removeIf(name -> name.toLowerCase(Locale.ROOT).startsWith(prefix));
        }
        return new HttpHeaders(rest);
    }

    /** The headers for a call of another tool. They must agree with the body. */
    HttpHeaders forTool(String tool) {
        HttpHeaders changed = without("mcp-param-", "idempotency-key");
        boolean plain = !tool.startsWith("=?") && tool.chars().allMatch(c -> c > ' ' && c <= '~');
        String encoded = Base64.getEncoder().encodeToString(tool.getBytes(StandardCharsets.UTF_8));
        changed.lines.computeIfPresent("mcp-name", (name, old) -> List.of(plain ? tool : BASE64 + encoded + "?="));
        return changed;
    }
}
