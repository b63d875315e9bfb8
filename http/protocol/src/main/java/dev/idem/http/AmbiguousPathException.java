package dev.idem.http;

import java.util.regex.Pattern;

/** A path that can't be a route: it has an encoded slash, a backslash or a NUL, which servers read in different ways. */
public final class AmbiguousPathException extends RuntimeException {
    private static final long serialVersionUID = 1;
    private static final Pattern AMBIGUOUS = Pattern.compile("(?i)%2f|%5c|%00|\\\\|\\x00");

    private AmbiguousPathException() {
        super("the path has an encoded slash, a backslash or a NUL; set a route of its own for such paths");
    }

    /**
     * Checks a path as it was sent.
     *
     * @throws AmbiguousPathException when it can be read in different ways
     */
    public static void check(String path) {
        if (isAmbiguous(path)) {
            throw new AmbiguousPathException();
        }
    }

    /** Whether a path, as it was sent, can be read in different ways. */
    public static boolean isAmbiguous(String path) {
        return AMBIGUOUS.matcher(path).find();
    }
}
