package dev.idem.cli.entry;

import dev.idem.Entry;
import dev.idem.command.Signals;
import dev.idem.server.Sieve;
import dev.idem.spi.browse.Browsable;
import dev.idem.spi.browse.Match;
import dev.idem.spi.browse.Page;
import dev.idem.spi.browse.Query;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Pages of entries whose key matches a pattern, such as {@code charge-ann-*}, and of those that a sieve lets through. */
final class Listing {
    private static final int PAGE = 500;

    private Listing() {}

    /**
     * The first matching entries.
     *
     * @param key a key or a pattern, in which {@code *} is any text and {@code ?} any character; null for any
     */
    static Page of(Browsable browsable, Query query, @Nullable String key, Sieve sieve, Signals signals) {
        boolean whole = key == null || (key.indexOf('*') < 0 && key.indexOf('?') < 0);
        if (whole && sieve.isOpen()) {
            return Queries.page(browsable, query.withKey(key));
        }
        Pattern form = form(key == null ? "*" : key);
        List<Entry> found = new ArrayList<>();
        List<Page.Unreadable> unreadable = new ArrayList<>();
        // The ledger finds keys by their beginning; the rest of the pattern is compared here.
        Query at = sieve.narrowed(query)
                .withLimit(PAGE)
                .withKeyLike(key == null ? null : whole ? Match.exactly(key) : Match.prefix(key.split("[*?]", 2)[0]));
        while (true) {
            Page page = Queries.page(browsable, at);
            List<Entry> entries = page.entries();
            for (int i = 0; i < entries.size(); i++) {
                if (!form.matcher(entries.get(i).address().key()).matches() || !sieve.passes(entries.get(i))) {
                    continue;
                }
                found.add(entries.get(i));
                if (found.size() == query.limit()) {
                    // The same page again, only up to here: the next call continues at its end.
                    Page upToHere = browsable.browse(at.withLimit(i + 1));
                    add(upToHere, form, unreadable);
                    return new Page(found, upToHere.next(), unreadable);
                }
            }
            add(page, form, unreadable);
            if (page.next() == null || signals.exitCode() != null) {
                return new Page(found, page.next(), unreadable);
            }
            at = at.withAfter(page.next());
        }
    }

    private static void add(Page page, Pattern form, List<Page.Unreadable> unreadable) {
        page.unreadable().stream()
                .filter(entry -> form.matcher(entry.address().key()).matches())
                .forEach(unreadable::add);
    }

    private static Pattern form(String key) {
        StringBuilder regex = new StringBuilder();
        for (int i = 0; i < key.length(); i++) {
            char c = key.charAt(i);
            regex.append(c == '*' ? ".*" : c == '?' ? "." : Pattern.quote(String.valueOf(c)));
        }
        return Pattern.compile(regex.toString());
    }
}
