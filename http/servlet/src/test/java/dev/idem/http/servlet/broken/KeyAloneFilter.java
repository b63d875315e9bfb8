package dev.idem.http.servlet.broken;

import dev.idem.http.HttpRules;
import jakarta.servlet.http.HttpServletRequest;
import java.util.List;

/** Knows a request by its key and body alone: a second endpoint never runs for the same key. */
public final class KeyAloneFilter extends PlainFilter {
    public KeyAloneFilter(HttpRules rules) {
        super(rules);
    }

    @Override
    protected List<String> address(HttpServletRequest request, String caller, String key) {
        return List.of(caller, key);
    }

    @Override
    protected String fingerprint(HttpServletRequest request, byte[] body) {
        return content(request.getContentType(), body);
    }
}
