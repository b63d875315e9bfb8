package dev.idem.http.servlet.broken;

import dev.idem.http.HttpRules;
import jakarta.servlet.http.HttpServletRequest;

/** Knows a caller by the name alone: ann of one tenant gets the response of ann of another. */
public final class TenantBlindFilter extends PlainFilter {
    public TenantBlindFilter(HttpRules rules) {
        super(rules);
    }

    @Override
    protected String tenant(HttpServletRequest request) {
        return "";
    }
}
