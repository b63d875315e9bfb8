package dev.idem.http.servlet.broken;

import dev.idem.http.HttpRules;
import jakarta.servlet.http.HttpServletRequest;

/** Takes the path as it was sent: a proxy that decodes a letter of it makes the handler run again. */
public final class SpellingFilter extends PlainFilter {
    public SpellingFilter(HttpRules rules) {
        super(rules);
    }

    @Override
    protected String path(HttpServletRequest request) {
        return request.getRequestURI();
    }
}
