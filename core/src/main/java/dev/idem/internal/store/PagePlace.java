package dev.idem.internal.store;

import dev.idem.Address;
import dev.idem.Entry;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Comparator;

/**
 * Where an entry stands among all entries: those with higher fences come first. Two servers of a store can give the
 * same fence to two addresses at once; then the names of the addresses decide.
 */
public record PagePlace(long fence, String address) implements Comparable<PagePlace> {
    private static final Comparator<PagePlace> ORDER =
            Comparator.comparingLong(PagePlace::fence).reversed().thenComparing(PagePlace::address);

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
    public int compareTo(PagePlace other) {
        return ORDER.compare(this, other);
    }

    @Override
    public String toString() {
        return fence + "."
                + Base64.getUrlEncoder().withoutPadding().encodeToString(address.getBytes(StandardCharsets.UTF_8));
    }
}
