package dev.idem.http.servlet.broken;

import dev.idem.http.HttpRules;

/** Keeps errors of the server: a short outage is the answer to all retries. */
public final class OutageReplayingFilter extends PlainFilter {
    public OutageReplayingFilter(HttpRules rules) {
        super(rules);
    }

    @Override
    protected boolean isFinal(int status) {
        return status >= 500 || super.isFinal(status);
    }
}
