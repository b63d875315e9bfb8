package dev.idem.http.servlet.broken;

import dev.idem.http.HttpRules;

/** Takes all anonymous callers for one: who sends a key that is in use reads the response of another. */
public final class SharedAnonymousFilter extends PlainFilter {
    public SharedAnonymousFilter(HttpRules rules) {
        super(rules);
    }

    @Override
    protected boolean needsCaller() {
        return false;
    }
}
