package dev.idem.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idem.Idem;
import dev.idem.lab.RedisProcess;
import dev.idem.spi.browse.Browsable;
import dev.idem.spi.browse.Page;
import dev.idem.spi.browse.Query;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BoundedPagesTest {
    private static final int ENTRIES = 9;

    @TempDir
    Path folder;

    private final Idem idem = Idem.builder().ledger("memory:").quiet().open();

    @AfterEach
    void close() {
        idem.close();
    }

    /** The results have three megabytes each, so a page ends before it has as many entries as were asked for. */
    @Test
    void pagesThatAreCutShowEachEntryOnce() {
        requireEachOnce(new BoundedPages(filled(idem)), Query.all());
    }

    /** It refuses a place that it did not give. */
    @Test
    void pagesOfRedisThatAreCutShowEachEntryOnce() {
        try (RedisProcess redis = RedisProcess.start(RedisProcess.bundled(folder), folder);
                Idem onRedis = Idem.builder()
                        .ledger(redis.url() + "?check=off&timeout=60s")
                        .quiet()
                        .open()) {
            Browsable pages = new BoundedPages(filled(onRedis));
            requireEachOnce(pages, Query.all());
            requireEachOnce(pages, Query.all().withOldestFirst());
        }
    }

    private static Browsable filled(Idem idem) {
        for (int i = 0; i < ENTRIES; i++) {
            String large = incompressible(i);
            idem.operation("charge").key("k" + i).run(call -> large);
        }
        return idem.ledger().as(Browsable.class).orElseThrow();
    }

    private static void requireEachOnce(Browsable pages, Query all) {
        List<String> seen = new ArrayList<>();
        int count = 0;
        for (Query query = all.withLimit(1000); query != null; count++) {
            Page page = pages.browse(query);
            page.entries().forEach(entry -> seen.add(entry.address().key()));
            query = page.next() == null ? null : query.withAfter(page.next());
        }
        assertThat(seen)
                .containsExactlyInAnyOrderElementsOf(
                        IntStream.range(0, ENTRIES).mapToObj(i -> "k" + i).toList());
        assertThat(count).isBetween(3, 6);
    }

    /**
     * The ledger compresses texts, but not this one. Of four entries two large ones fit onto a page, so that it is cut
     * between two entries that the ledger has given together.
     */
    private static String incompressible(int seed) {
        byte[] bytes = new byte[seed % 3 == 0 ? 1000 : 6_000_000];
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
