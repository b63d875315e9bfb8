package dev.idem.http.webhook;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A request as it arrived: its headers, the bytes of its body, and for some senders the public URL. Immutable. */
public final class WebhookRequest {
    private static final Pattern ESCAPED = Pattern.compile("\\\\(.)");

    private final Map<String, List<String>> headers;
    private final byte[] body;
    private final @Nullable String url;

    private WebhookRequest(Map<String, List<String>> headers, byte[] body, @Nullable String url) {
        this.headers = headers;
        this.body = body;
        this.url = url;
    }

    /**
     * A request.
     *
     * @param headers the lines of each header; names in any case
     * @param body the bytes before any decoding other than that of the transfer: a body that was parsed and written
     *     again does not fit its signature
     */
    public static WebhookRequest of(Map<String, List<String>> headers, byte[] body) {
        Map<String, List<String>> lines = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        headers.forEach((name, values) -> {
            // Some servers keep what is not a header under null.
            if (name != null && values != null) {
                List<String> all = lines.computeIfAbsent(name, unused -> new ArrayList<>());
                values.stream().filter(Objects::nonNull).forEach(all::add);
            }
        });
        return new WebhookRequest(lines, body.clone(), null);
    }

    /**
     * The same request with the public URL that the sender was given, and the query of this request if it has one.
     * Twilio and Square sign it. Take scheme, host and path from your configuration: behind a proxy the server sees
     * others, and the Host header is the choice of the caller.
     */
    public WebhookRequest at(String publicUrl) {
        return new WebhookRequest(headers, body, publicUrl);
    }

    /** The same request, where headers that begin with one prefix have another, unless it has those already. */
    WebhookRequest renamed(String prefix, String other) {
        Map<String, List<String>> lines = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        lines.putAll(headers);
        headers.forEach((name, values) -> {
            if (name.regionMatches(true, 0, prefix, 0, prefix.length())) {
                lines.putIfAbsent(other + name.substring(prefix.length()), values);
            }
        });
        return new WebhookRequest(lines, body, url);
    }

    /** The same request, where the values of headers that begin so are decoded as CloudEvents encodes them. */
    WebhookRequest decoded(String prefix) {
        Map<String, List<String>> lines = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        headers.forEach((name, values) -> lines.put(
                name,
                name.regionMatches(true, 0, prefix, 0, prefix.length())
                        ? values.stream().map(WebhookRequest::decode).toList()
                        : values));
        return new WebhookRequest(lines, body, url);
    }

    /** Takes quotes off and decodes per cent signs, once. What is not encoded rightly stays as it is. */
    private static String decode(String value) {
        String text = value.strip();
        if (text.length() > 1 && text.startsWith("\"") && text.endsWith("\"")) {
            text = ESCAPED.matcher(text.substring(1, text.length() - 1)).replaceAll("$1");
        }
        try {
            String decoded = URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
            return decoded.indexOf('\uFFFD') < 0 ? decoded : text;
        } catch (IllegalArgumentException notEncoded) {
            return text;
        }
    }

    List<String> headers(String name) {
        return headers.getOrDefault(name, List.of());
    }

    /** The first line of a header without white space around it; null where it is absent or empty. */
    @Nullable
    String header(String name) {
        List<String> lines = headers(name);
        String line = lines.isEmpty() ? null : lines.get(0);
        return line == null || line.isBlank() ? null : line.strip();
    }

    /** The body itself, without a copy: do not change it. */
    byte[] body() {
        return body;
    }

    @Nullable
    String url() {
        return url;
    }

    /** Shows no values: headers may hold secrets. */
    @Override
    public String toString() {
        return "WebhookRequest" + headers.keySet() + ", " + body.length + " bytes";
    }
}
