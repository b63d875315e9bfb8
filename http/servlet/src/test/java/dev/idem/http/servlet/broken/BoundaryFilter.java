package dev.idem.http.servlet.broken;

import dev.idem.http.HttpRules;
import java.nio.charset.StandardCharsets;

/** Compares the boundary of an upload, too: its retry has another one and is refused. */
public final class BoundaryFilter extends PlainFilter {
    public BoundaryFilter(HttpRules rules) {
        super(rules);
    }

    @Override
    protected String content(String type, byte[] body) {
        return type + " " + new String(body, StandardCharsets.ISO_8859_1);
    }
}
