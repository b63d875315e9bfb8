package dev.idem.internal.store;

import dev.idem.Address;
import dev.idem.Entry;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Comparator;

/**
 * Where an entry stands among all entries: by its fence. Two servers of a store can give the
 * same fence to two addresses at once; then the names of the addresses decide.
 */
public record PagePlace(long fence, String address) {
    private static final Comparator<PagePlace> OLDEST_FIRST =
            Comparator.comparingLong(PagePlace::fence).thenComparing(PagePlace::address);
    private static final Comparator<PagePlace> NEWEST_FIRST = OLDEST_FIRST.reversed();

    public static Comparator<PagePlace> order(boolean oldestFirst) {
        return oldestFirst ? OLDEST_FIRST : NEWEST_FIRST;
    }

    public static PagePlace of(Entry entry) {
        Address address = entry.address();
        return new PagePlace(
                entry.fence().number(), address.scope() + '\n' + address.operation() + '\n' + address.key());
    }

    public static PagePlace parse(String text) {
        try {
            int dot = text.indexOf('.');
            byte[] address = Base64.getUrlDecoder().decode(text.substring(dot + 1));
            return new PagePlace(
                    Long.parseLong(text.substring(0, Math.max(0, dot))), new String(address, StandardCharsets.UTF_8));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("'" + text + "' is no place to go on from; use the next() of a page", e);
        }
    }

    @Override
    public String toString() {
        return fence + "."
                + Base64.getUrlEncoder().withoutPadding().encodeToString(address.getBytes(StandardCharsets.UTF_8));
    }
}
