package dev.idem.ledger;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Names a ledger: {@code memory:}, {@code sqlite:path?trail=off}, {@code postgresql://host/db}.
 *
 * @param scheme what stands before the first colon
 * @param rest what stands between the colon and the question mark, as written
 * @param options what stands behind the question mark, decoded
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
                    "'" + url + "' is no ledger URL; write for instance memory: or" + " sqlite:idem.db");
        }
        int question = url.indexOf('?', colon);
        String rest = question < 0 ? url.substring(colon + 1) : url.substring(colon + 1, question);
        Map<String, String> options = new LinkedHashMap<>();
        if (question >= 0) {
            for (String option : url.substring(question + 1).split("&", -1)) {
                int equals = option.indexOf('=');
                if (equals < 1) {
                    throw new IllegalArgumentException(
                            "option '" + option + "' of the ledger URL is malformed; write name=value");
                }
                options.put(decode(option.substring(0, equals)), decode(option.substring(equals + 1)));
            }
        }
        return new LedgerUrl(url.substring(0, colon), rest, options);
    }

    private static String decode(String text) {
        return URLDecoder.decode(text, StandardCharsets.UTF_8);
    }

    /** The URL without its options and without user info, which may hold secrets. */
    @Override
    public String toString() {
        return scheme + ":" + rest.replaceFirst("//[^/@]*@", "//***@");
    }
}
