package dev.idem.http.servlet.broken;

import dev.idem.http.HttpRules;
import jakarta.servlet.http.HttpServletResponse;
import java.util.Collection;

/** Takes the names of headers as the container gives them: with Tomcat a header of two lines is replayed with four. */
public final class MultiplyingFilter extends PlainFilter {
    public MultiplyingFilter(HttpRules rules) {
        super(rules);
    }

    @Override
    protected CapturedResponse capture(HttpServletResponse response) {
        return new CapturedResponse(response) {
            @Override
            protected Collection<String> headerNames() {
                return getHeaderNames();
            }
        };
    }
}
