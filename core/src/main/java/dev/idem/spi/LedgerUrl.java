package dev.idem.spi;

import java.net.URLDecoder;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Names a ledger: {@code memory:}, {@code sqlite:path?busy=10s}, {@code postgresql://host/db}.
 *
 * @param scheme the part before the first colon
 * @param rest the part between the colon and the question mark, as written
 * @param options the options after the question mark, decoded
 */
public record LedgerUrl(String scheme, String rest, Map<String, String> options) {
    public LedgerUrl {
        options = Collections.unmodifiableMap(new LinkedHashMap<>(options));
    }

    /** Checks its parts; throws {@link IllegalArgumentException} when there is no scheme, or an option is malformed */
    public static LedgerUrl parse(String url) {
        int colon = url.indexOf(':');
        if (colon < 1) {
            throw new IllegalArgumentException(
                    "'" + masked(url) + "' is no ledger URL; write for instance memory: or sqlite:idem.db");
        }
        int question = url.indexOf('?', colon);
        String rest = question < 0 ? url.substring(colon + 1) : url.substring(colon + 1, question);
        Map<String, String> options = new LinkedHashMap<>();
        if (question >= 0) {
            String query = url.substring(question + 1);
            if (query.indexOf('@') >= 0 && rest.startsWith("//") && !MaskedUrl.isServer(rest)) {
                throw new IllegalArgumentException("'" + masked(url) + "' has a question mark before its server; "
                        + "write one that is part of a password as %3F");
            }
            for (String option : query.split("&", -1)) {
                int equals = option.indexOf('=');
                if (equals < 1) {
                    // Not shown: it may be the rest of a password.
                    throw new IllegalArgumentException("an option of the ledger URL '" + masked(url)
                            + "' is malformed; write name=value"
                            + (rest.startsWith("//")
                                    ? ", and a question mark in a password as %3F"
                                    : ". A question mark begins the options, so no file of a ledger may have one in its"
                                            + " name: name another file"));
                }
                // In queries, and only there, a plus stands for a space.
                options.put(
                        unescaped(option.substring(0, equals).replace('+', ' ')),
                        unescaped(option.substring(equals + 1).replace('+', ' ')));
            }
        }
        return new LedgerUrl(url.substring(0, colon), rest, options);
    }

    /**
     * A part of a URL with its %-escapes resolved.
     *
     * @throws IllegalArgumentException when an escape is malformed; the message does not show the part
     */
    public static String unescaped(String part) {
        try {
            return decoded(part);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("in the ledger URL, " + e.getMessage());
        }
    }

    /**
     * A part of any URL with its %-escapes resolved, which are UTF-8. A plus stays a plus.
     *
     * @throws IllegalArgumentException when an escape is malformed; the message does not show the part
     */
    public static String decoded(String part) {
        Charset bytes = StandardCharsets.ISO_8859_1;
        String escaped = new String(part.replace("+", "%2B").getBytes(StandardCharsets.UTF_8), bytes);
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(URLDecoder.decode(escaped, bytes).getBytes(bytes)))
                    .toString();
        } catch (IllegalArgumentException e) {
            // Not passed on: its message shows the characters after the percent sign.
            throw new IllegalArgumentException(
                    "a %-escape is malformed; write a percent sign that stands for itself as %25");
        } catch (CharacterCodingException e) {
            throw new IllegalArgumentException("the %-escapes are not UTF-8");
        }
    }

    /**
     * A URL as it may be shown to people: without options and without user info, which may hold secrets. Also for texts
     * that are no URL, since those are shown in errors: a password with special characters makes a URL malformed.
     */
    public static String masked(String url) {
        return MaskedUrl.of(url);
    }

    /** The URL without its password, for command lines that are suggested; masked where it is malformed. */
    public static String withoutPassword(String url) {
        return MaskedUrl.withoutPassword(url);
    }

    /** The URL as it may be shown. */
    @Override
    public String toString() {
        return masked(scheme + ":" + rest);
    }
}
