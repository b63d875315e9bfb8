package dev.idem.http;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The content of a request: its media type, and its body within the limits of the rules. */
final class RequestContent {
    private final Request request;
    private final HttpRules rules;
    private final String contentType;
    private final String mediaType;

    RequestContent(Request request, HttpRules rules) {
        this.request = request;
        this.rules = rules;
        List<String> lines = request.headers("Content-Type");
        this.contentType = lines.isEmpty() ? "" : lines.get(0);
        this.mediaType = mediaType(contentType);
    }

    /** A content type without its parameters, in lower case. */
    static String mediaType(String contentType) {
        int parameters = contentType.indexOf(';');
        return (parameters < 0 ? contentType : contentType.substring(0, parameters))
                .strip()
                .toLowerCase(Locale.ROOT);
    }

    static boolean isJson(String mediaType) {
        return mediaType.equals("application/json") || mediaType.endsWith("+json");
    }

    String contentType() {
        return contentType;
    }

    String mediaType() {
        return mediaType;
    }

    boolean isJson() {
        return isJson(mediaType);
    }

    boolean isForm() {
        return mediaType.equals("application/x-www-form-urlencoded");
    }

    /** The whole body; null where it is longer than the rules keep in memory. */
    byte @Nullable [] inMemory() throws IOException {
        try (InputStream in = open()) {
            byte[] bytes = in.readNBytes(rules.largestInMemory());
            return in.read() < 0 ? bytes : null;
        }
    }

    InputStream open() throws IOException {
        return new Limited(request.open(), rules.largestBody());
    }

    /**
     * The fields of a form or a query. The order of the values counts for each name, the order of the names does not.
     *
     * @throws IllegalArgumentException when a field is not encoded as it should be
     */
    static Map<String, List<String>> fields(byte[] form) {
        Map<String, List<String>> fields = new TreeMap<>();
        // One character for each byte, so that two texts never look alike, whatever their charset is.
        for (String field : new String(form, StandardCharsets.ISO_8859_1).split("&", -1)) {
            if (field.isEmpty()) {
                continue;
            }
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
