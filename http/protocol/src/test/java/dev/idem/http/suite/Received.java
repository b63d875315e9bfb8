package dev.idem.http.suite;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** A response as a client receives it. */
public record Received(int status, Map<String, List<String>> headers, byte[] body) {
    public Received {
        Map<String, List<String>> anyCase = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        anyCase.putAll(headers);
        headers = anyCase;
    }

    /** The only line of a header; null where the header is absent. */
    public String header(String name) {
        List<String> lines = headers.get(name);
        if (lines == null) {
            return null;
        } else if (lines.size() != 1) {
            throw new AssertionError(name + " has " + lines.size() + " lines");
        }
        return lines.get(0);
    }

    public String text() {
        return new String(body, StandardCharsets.UTF_8);
    }
}
