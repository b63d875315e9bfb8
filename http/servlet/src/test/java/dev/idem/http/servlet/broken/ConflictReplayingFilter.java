package dev.idem.http.servlet.broken;

import dev.idem.http.HttpRules;
import dev.idem.http.Response;

/** Keeps every conflict: "still in progress" is the answer to all retries. */
public final class ConflictReplayingFilter extends PlainFilter {
    public ConflictReplayingFilter(HttpRules rules) {
        super(rules);
    }

    @Override
    protected boolean mayPass(Response conflict) {
        return false;
    }
}
