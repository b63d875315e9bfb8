package dev.idem.http;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The spelling of paths, for servers that decode them and change nothing else. */
final class Paths {
    private static final Pattern ENCODED = Pattern.compile("%[0-9A-Fa-f]{2}");

    private Paths() {}

    /**
     * A path in one spelling: printable characters of ASCII are decoded. What would change the path by that stays encoded:
     * slash, backslash and percent.
     */
    static String decoded(String path) {
        return ENCODED.matcher(path).replaceAll(found -> Matcher.quoteReplacement(decodedByte(found.group())));
    }

    private static String decodedByte(String encoded) {
        int value = Integer.parseInt(encoded.substring(1), 16);
        boolean decodes = value > ' ' && value <= '~' && value != '/' && value != '\\' && value != '%';
        return decodes ? Character.toString(value) : "%" + encoded.substring(1).toUpperCase(Locale.ROOT);
    }
}
