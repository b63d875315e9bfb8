package dev.idem.http.servlet.broken;

import dev.idem.http.HttpRules;
import jakarta.servlet.http.HttpServletResponse;

/** Sends a problem with the headers of the handler: a client can't decode a problem that says it is gzip. */
public final class LeftHeadersFilter extends PlainFilter {
    public LeftHeadersFilter(HttpRules rules) {
        super(rules);
    }

    @Override
    protected void forget(HttpServletResponse raw) {}
}
