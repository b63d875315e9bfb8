package dev.idem.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idem.Idem;
import dev.idem.spi.browse.Browsable;
import dev.idem.spi.browse.Page;
import dev.idem.spi.browse.Query;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BoundedPagesTest {
    private static final int ENTRIES = 12;

    private final Idem idem = Idem.builder().ledger("memory:").quiet().open();

    @AfterEach
    void close() {
        idem.close();
    }

    /** The results have three megabytes each, so a page ends before it has as many entries as were asked for. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void pagesThatAreCutShowEachEntryOnce(boolean ofFences) {
        for (int i = 0; i < ENTRIES; i++) {
            String large = incompressible(i);
            idem.operation("charge").key("k" + i).run(call -> large);
        }
        Browsable ledger = idem.ledger().as(Browsable.class).orElseThrow();
        Browsable pages = new BoundedPages(ofFences ? ledger : new OtherPlaces(ledger));
        List<String> seen = new ArrayList<>();
        int count = 0;
        for (Query query = Query.all().withLimit(1000); query != null; count++) {
            Page page = pages.browse(query);
            page.entries().forEach(entry -> seen.add(entry.address().key()));
            query = page.next() == null ? null : query.withAfter(page.next());
        }
        assertThat(seen)
                .containsExactlyInAnyOrderElementsOf(
                        IntStream.range(0, ENTRIES).mapToObj(i -> "k" + i).toList());
        assertThat(count).isBetween(3, 6);
    }

    /** The ledger compresses texts. Three megabytes stay of this one. */
    private static String incompressible(int seed) {
        byte[] bytes = new byte[3_000_000];
        new Random(seed).nextBytes(bytes);
        return Base64.getEncoder().encodeToString(bytes);
    }

    /** A default would answer for the ledger behind it, and hide what that one can do. */
    @Test
    void everyMethodOfALedgerIsPassedOn() {
        for (Method each : Browsable.class.getDeclaredMethods()) {
            if (!Modifier.isStatic(each.getModifiers()) && !each.isSynthetic()) {
                assertThat(BoundedPages.class.getDeclaredMethods())
                        .as(each.getName())
                        .anyMatch(own -> own.getName().equals(each.getName())
                                && Arrays.equals(own.getParameterTypes(), each.getParameterTypes()));
            }
        }
    }
}
