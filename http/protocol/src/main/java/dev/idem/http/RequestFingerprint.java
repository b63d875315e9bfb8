package dev.idem.http;

import dev.idem.Json;
import dev.idem.JsonException;
import dev.idem.internal.json.CanonicalJson;
import java.io.IOException;
import java.io.InputStream;
import java.security.MessageDigest;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The parts that two equal requests share: method, path, query, media type and body. A JSON body is compared by its
 * values, a form by its fields, a multipart body by its parts, any other body by its bytes.
 */
final class RequestFingerprint {
    private final RequestContent content;

    private RequestFingerprint(RequestContent content) {
        this.content = content;
    }

    /** The identity of the operation. Only the path can become a label; a query may hold secrets. */
    static Map<String, Object> of(Request request, HttpRules rules) throws IOException {
        RequestContent content = new RequestContent(request, rules);
        return Map.of(
                "path",
                request.path(),
                "request",
                Map.of(
                        "method", request.method(),
                        "query", request.query(),
                        "media_type", content.mediaType(),
                        "body", new RequestFingerprint(content).body()));
    }

    private String body() throws IOException {
        byte[] canonical = canonical();
        return canonical == null
                ? "bytes:" + ofBytes()
                : "values:" + AddressNames.hex(AddressNames.sha256().digest(canonical));
    }

    /** The canonical form of the body; null where it has none. */
    private byte @Nullable [] canonical() throws IOException {
        try {
            if (content.isJson()) {
                byte[] bytes = content.inMemory();
                return bytes == null ? null : CanonicalJson.bytes(Json.parseExact(bytes));
            } else if (content.isForm()) {
                byte[] bytes = content.inMemory();
                return bytes == null ? null : CanonicalJson.bytes(RequestContent.fields(bytes));
            } else if (content.mediaType().startsWith("multipart/")) {
                try (InputStream in = content.open()) {
                    List<Map<String, String>> parts = Multipart.parts(in, content.contentType());
                    return parts == null ? null : CanonicalJson.bytes(parts);
                }
            }
        } catch (JsonException | IllegalArgumentException e) {
            // The handler will judge it. Here its bytes are enough to tell it from another body.
            return null;
        }
        return null;
    }

    private String ofBytes() throws IOException {
        MessageDigest digest = AddressNames.sha256();
        byte[] buffer = new byte[8192];
        try (InputStream in = content.open()) {
            for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
                digest.update(buffer, 0, read);
            }
        }
        return AddressNames.hex(digest.digest());
    }
}
