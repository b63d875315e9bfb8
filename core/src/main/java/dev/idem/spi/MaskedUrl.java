package dev.idem.spi;

import java.util.Set;
import java.util.regex.Pattern;

/** Hides the secrets of ledger URLs, malformed ones included. Apart from {@link LedgerUrl}, which every start loads. */
final class MaskedUrl {
    private static final String HIDDEN = "***";
    private static final Set<String> FILES = Set.of("memory", "sqlite", "jsonl");
    private static final Pattern SCHEME = Pattern.compile("[a-z][a-z0-9+.-]*");
    /** Hosts with ports, as many as a cluster has. */
    private static final Pattern SERVERS = Pattern.compile("((\\[[0-9A-Fa-f:.]+]|[^:,\\[\\]]+)(:[0-9]{1,5})?(,|$))*");

    private static final Pattern USER_AND_PASSWORD = Pattern.compile("[^:/@?#]*(:[^:/@?#]*)?");
    /** {@code token=env:NAME} and {@code token=file:PATH} only say where a secret is. */
    private static final Pattern SECRET_OPTION =
            Pattern.compile("(?i)(?!token=(env|file):)[^=]*(pass|secret|token)[^=]*=");

    private MaskedUrl() {}

    static String of(String url) {
        int colon = url.indexOf(':');
        boolean named = colon > 0 && SCHEME.matcher(url.substring(0, colon)).matches();
        String scheme = named ? url.substring(0, colon + 1) : "";
        String rest = url.substring(scheme.length());
        boolean network = rest.startsWith("//") && !rest.startsWith("///");
        if (named && FILES.contains(url.substring(0, colon)) && !network) {
            return scheme + before("?", rest);
        }
        String place = before("?&=", rest);
        if (place.indexOf('@') < 0 && isServer(place)) {
            return scheme + place;
        }
        // A password may hold any character, so it ends at the last @ there is.
        int at = rest.lastIndexOf('@');
        return scheme + (network ? "//" : "") + HIDDEN + (at < 0 ? "" : before("?&=", rest.substring(at)));
    }

    static String withoutPassword(String url) {
        String shown = of(url);
        if (!shown.contains(HIDDEN)) {
            return withoutSecretOptions(url);
        }
        int start = url.indexOf("//") + 2;
        int question = url.indexOf('?');
        int at = url.lastIndexOf('@', question < 0 ? url.length() : question);
        String user = start < 2 || at < start ? "@" : url.substring(start, at);
        if (!USER_AND_PASSWORD.matcher(user).matches()) {
            return shown;
        }
        String name = user.contains(":") ? user.substring(0, user.indexOf(':')) : user;
        return withoutSecretOptions(url.substring(0, start) + name + url.substring(name.isEmpty() ? at + 1 : at));
    }

    private static String withoutSecretOptions(String url) {
        int question = url.indexOf('?');
        if (question < 0) {
            return url;
        }
        StringBuilder kept = new StringBuilder(url.substring(0, question));
        char before = '?';
        for (String option : url.substring(question + 1).split("&", -1)) {
            if (!SECRET_OPTION.matcher(option).lookingAt()) {
                kept.append(before).append(option);
                before = '&';
            }
        }
        return kept.toString();
    }

    /** Whether the part after the scheme could name servers: only ports follow a colon. */
    static boolean isServer(String rest) {
        if (!rest.startsWith("//")) {
            return rest.indexOf(':') < 0;
        }
        int slash = rest.indexOf('/', 2);
        return SERVERS.matcher(rest.substring(2, slash < 0 ? rest.length() : slash))
                .matches();
    }

    private static String before(String marks, String text) {
        int end = 0;
        while (end < text.length() && marks.indexOf(text.charAt(end)) < 0) {
            end++;
        }
        return text.substring(0, end);
    }
}
