package dev.idem.http.servlet.broken;

import dev.idem.http.HttpRules;

/** Takes the key of the header and does not look whether the body has another: one order gets the response of another. */
public final class HeaderWinsFilter extends PlainFilter {
    public HeaderWinsFilter(HttpRules rules) {
        super(rules);
    }

    @Override
    protected boolean agree(String inHeader, String inBody) {
        return true;
    }
}
