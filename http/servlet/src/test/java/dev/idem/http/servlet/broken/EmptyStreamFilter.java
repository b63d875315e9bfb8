package dev.idem.http.servlet.broken;

import dev.idem.http.HttpRules;
import dev.idem.http.Response;
import java.time.Instant;

/** Stores a response that was streamed past it, as if its body were empty. */
public final class EmptyStreamFilter extends PlainFilter {
    public EmptyStreamFilter(HttpRules rules) {
        super(rules);
    }

    @Override
    protected Entry streamed(Entry claimed, Response captured) {
        Instant expires = Instant.now().plus(rules.policy().retention().keep());
        return new Entry(State.COMPLETE, claimed.fingerprint(), captured, expires);
    }
}
