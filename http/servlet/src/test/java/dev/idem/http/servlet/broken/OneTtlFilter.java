package dev.idem.http.servlet.broken;

import dev.idem.http.HttpRules;
import java.time.Instant;
import java.util.List;

/** One time to live for the claim and the response: a request without an outcome blocks its key, and then runs again. */
public final class OneTtlFilter extends PlainFilter {
    public OneTtlFilter(HttpRules rules) {
        super(rules);
    }

    @Override
    protected Instant claimedUntil() {
        return Instant.now().plus(rules.policy().retention().keep());
    }

    /** Leaves the claim to its time to live. */
    @Override
    protected void doubt(List<String> address, Entry claimed) {}
}
