package dev.idem.http;

import dev.idem.Json;
import dev.idem.JsonException;
import dev.idem.internal.json.CanonicalJson;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What makes a request the same request: method, path, query, media type and body. A JSON body is compared by its
 * values, a form by its fields, a multipart body by its parts, any other body by its bytes.
 */
final class Fingerprint {
    private final Request request;
    private final HttpRules rules;
    private final String contentType;
    private final String mediaType;

    private Fingerprint(Request request, HttpRules rules) {
        this.request = request;
        this.rules = rules;
        List<String> lines = request.headers("Content-Type");
        this.contentType = lines.isEmpty() ? "" : lines.get(0);
        int parameters = contentType.indexOf(';');
        this.mediaType = (parameters < 0 ? contentType : contentType.substring(0, parameters))
                .strip()
                .toLowerCase(Locale.ROOT);
    }

    /** The identity of the operation. Only the path can become a label; a query may hold secrets. */
    static Map<String, Object> of(Request request, HttpRules rules) throws IOException {
        Fingerprint print = new Fingerprint(request, rules);
        return Map.of(
                "path",
                request.path(),
                "request",
                Map.of(
                        "method", request.method(),
                        "query", request.query(),
                        "media_type", print.mediaType,
                        "body", print.body()));
    }

    private String body() throws IOException {
        byte[] canonical = canonical();
        return canonical == null
                ? "bytes:" + ofBytes()
                : "values:" + Names.hex(Names.sha256().digest(canonical));
    }

    /** The canonical form of the body; null where it has none. */
    private byte @Nullable [] canonical() throws IOException {
        try {
            if (mediaType.equals("application/json") || mediaType.endsWith("+json")) {
                byte[] bytes = inMemory();
                return bytes == null ? null : CanonicalJson.bytes(Json.parseExact(bytes));
            } else if (mediaType.equals("application/x-www-form-urlencoded")) {
                byte[] bytes = inMemory();
                return bytes == null ? null : CanonicalJson.bytes(fields(bytes));
            } else if (mediaType.startsWith("multipart/")) {
                try (InputStream in = open()) {
                    List<Map<String, String>> parts = Multipart.parts(in, contentType);
                    return parts == null ? null : CanonicalJson.bytes(parts);
                }
            }
        } catch (JsonException | IllegalArgumentException e) {
            // The handler will judge it. Here its bytes are enough to tell it from another body.
            return null;
        }
        return null;
    }

    /** The fields of a form. The order of the values counts for each name, the order of the names does not. */
    private static Map<String, List<String>> fields(byte[] form) {
        Map<String, List<String>> fields = new TreeMap<>();
        // One character for each byte, so that two texts never look alike, whatever their charset is.
        for (String field : new String(form, StandardCharsets.ISO_8859_1).split("&", -1)) {
            int equals = field.indexOf('=');
            String name = equals < 0 ? field : field.substring(0, equals);
            String value = equals < 0 ? "" : field.substring(equals + 1);
            fields.computeIfAbsent(decoded(name), absent -> new ArrayList<>()).add(decoded(value));
        }
        return fields;
    }

    private static String decoded(String text) {
        return URLDecoder.decode(text, StandardCharsets.ISO_8859_1);
    }

    private byte @Nullable [] inMemory() throws IOException {
        try (InputStream in = open()) {
            byte[] bytes = in.readNBytes(rules.largestInMemory());
            return in.read() < 0 ? bytes : null;
        }
    }

    private String ofBytes() throws IOException {
        MessageDigest digest = Names.sha256();
        byte[] buffer = new byte[8192];
        try (InputStream in = open()) {
            for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
                digest.update(buffer, 0, read);
            }
        }
        return Names.hex(digest.digest());
    }

    private InputStream open() throws IOException {
        return new Limited(request.open(), rules.largestBody());
    }

    /** Counts what is read. */
    private static final class Limited extends FilterInputStream {
        private final long limit;
        private long read;

        Limited(InputStream in, long limit) {
            super(in);
            this.limit = limit;
        }

        @Override
        public int read() throws IOException {
            int next = super.read();
            count(next < 0 ? 0 : 1);
            return next;
        }

        @Override
        public int read(byte[] into, int from, int length) throws IOException {
            int count = super.read(into, from, length);
            count(Math.max(count, 0));
            return count;
        }

        private void count(int more) throws BodyTooLargeException {
            read += more;
            if (read > limit) {
                throw new BodyTooLargeException(limit);
            }
        }
    }
}
