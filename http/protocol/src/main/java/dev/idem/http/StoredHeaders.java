package dev.idem.http;

import java.util.Collection;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;

/** The names of the response headers that are stored, in lower case. A name that ends with * is a prefix. */
record StoredHeaders(Set<String> names) {
    static final StoredHeaders USUAL = new StoredHeaders(Set.of(
            "allow",
            "content-disposition",
            "content-encoding",
            "content-language",
            "content-location",
            "content-type",
            "etag",
            "last-modified",
            "link",
            "location",
            "preference-applied",
            "retry-after",
            "vary"));

    /** Secrets of one client, headers of one connection, and headers that the guard or the server sets for a replay. */
    private static final Set<String> NEVER = Set.of(
            "age",
            "authentication-info",
            "authorization",
            "cache-control",
            "connection",
            "content-length",
            "cookie",
            "date",
            "keep-alive",
            "set-cookie",
            "set-cookie2",
            "te",
            "trailer",
            "transfer-encoding",
            "upgrade",
            "www-authenticate");

    StoredHeaders and(Collection<String> more) {
        Set<String> all = new TreeSet<>(names);
        for (String name : more) {
            String lower = name.toLowerCase(Locale.ROOT);
            if (isNeverStored(lower)) {
                throw new IllegalArgumentException("the header " + name + " is never stored: it holds a secret of one "
                        + "client, belongs to one connection, or is set anew for a replay. Leave it out");
            }
            all.add(lower);
        }
        return new StoredHeaders(Set.copyOf(all));
    }

    boolean stores(String name) {
        String lower = name.toLowerCase(Locale.ROOT);
        return !isNeverStored(lower)
                && (names.contains(lower)
                        || names.stream()
                                .anyMatch(each ->
                                        each.endsWith("*") && lower.startsWith(each.substring(0, each.length() - 1))));
    }

    private static boolean isNeverStored(String lower) {
        return NEVER.contains(lower)
                || lower.endsWith("-token")
                || lower.startsWith("proxy-")
                || lower.startsWith("idempoten")
                || lower.contains("ratelimit")
                || lower.contains("rate-limit");
    }
}
