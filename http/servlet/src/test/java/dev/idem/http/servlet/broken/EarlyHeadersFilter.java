package dev.idem.http.servlet.broken;

import dev.idem.http.HttpRules;
import dev.idem.http.Response;
import jakarta.servlet.http.HttpServletResponse;
import org.jspecify.annotations.Nullable;

/** Captures the headers with the first byte of the body, as an aspect around the handler does: later ones are lost. */
public final class EarlyHeadersFilter extends PlainFilter {
    public EarlyHeadersFilter(HttpRules rules) {
        super(rules);
    }

    @Override
    protected CapturedResponse capture(HttpServletResponse response) {
        return new CapturedResponse(response) {
            private @Nullable Response early;

            @Override
            protected void writes() {
                early = early == null ? head() : early;
            }

            @Override
            protected Response response() {
                Response whole = super.response();
                return early == null ? whole : early.body(whole.body());
            }
        };
    }
}
