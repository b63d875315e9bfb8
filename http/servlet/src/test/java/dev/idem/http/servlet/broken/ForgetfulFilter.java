package dev.idem.http.servlet.broken;

import dev.idem.http.HttpRules;
import java.util.List;

/** Deletes the claim when the handler throws: the retry of a request that may have taken effect runs again. */
public final class ForgetfulFilter extends PlainFilter {
    public ForgetfulFilter(HttpRules rules) {
        super(rules);
    }

    @Override
    protected void thrown(List<String> address, Entry claimed) {
        entries.remove(address);
    }
}
