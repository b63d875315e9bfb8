package dev.idem.http.servlet;

import dev.idem.http.AmbiguousPathException;
import jakarta.servlet.http.HttpServletRequest;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Objects;

/** The path of a request in one spelling for all that the container takes for the same path. */
final class PathSpelling {
    private PathSpelling() {}

    /** The path to compare. One with parameters, or that can be read in two ways, is as it was sent. */
    static String path(HttpServletRequest request) {
        String sent = request.getRequestURI();
        return sent.indexOf(';') >= 0 || AmbiguousPathException.isAmbiguous(sent) ? sent : understood(request);
    }

    /** The path as a route. */
    static String route(HttpServletRequest request) {
        AmbiguousPathException.check(request.getRequestURI());
        return understood(request);
    }

    /**
     * The path as the container understands it: maybe without parameters, dots and empty segments. What is not printable
     * ASCII is encoded, as in the other languages. So are a percent sign and a semicolon, which could make it look like a
     * path as it was sent.
     */
    private static String understood(HttpServletRequest request) {
        String decoded = request.getServletContext().getContextPath()
                + Objects.requireNonNullElse(request.getServletPath(), "")
                + Objects.requireNonNullElse(request.getPathInfo(), "");
        StringBuilder path = new StringBuilder();
        for (byte each : decoded.getBytes(StandardCharsets.UTF_8)) {
            boolean stays = each > ' ' && each <= '~' && each != '%' && each != ';';
            path.append(stays ? Character.toString(each) : String.format(Locale.ROOT, "%%%02X", each));
        }
        return path.toString();
    }
}
