package dev.idem.testkit.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.idem.Address;
import dev.idem.State;
import dev.idem.spi.AttemptId;
import dev.idem.spi.ClaimRequest;
import dev.idem.spi.EntryStore.Row;
import dev.idem.spi.EntryStore.Stamp;
import dev.idem.spi.Fingerprints;
import dev.idem.spi.Ledger;
import dev.idem.spi.Owner;
import dev.idem.spi.Processes;
import dev.idem.spi.browse.Browsable;
import dev.idem.spi.browse.Counts;
import dev.idem.spi.browse.Page;
import dev.idem.spi.browse.Query;
import dev.idem.spi.browse.Searchable;
import dev.idem.spi.browse.Walkable;
import dev.idem.spi.store.StoreLedger;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The part of the contract about lists of rows: those that are due, pages of a scan, and walks. */
abstract class ListedRows extends StoreCase {
    @Test
    void rowsAreDueWhenTheDueInOfTheirDraftIsOver() {
        Row settled = replace(insert(), completion());
        store.insert(AT.withOperation("running"), grant());
        assertThat(due()).isEmpty();
        clocks.advance(Duration.ofDays(1));
        assertThat(due()).singleElement().satisfies(row -> assertSame(row, settled));
        replace(settled, grant());
        assertThat(due()).as("a grant is never due").isEmpty();
    }

    /** Tombstones and forgotten rows are due later than they expired. */
    @Test
    void everyWriteSetsAnewWhenItsRowIsDue() {
        Row settled = replace(insert(), completion());
        clocks.advance(Duration.ofDays(1));
        Row tombstone = replace(settled, unstamped(State.EXPIRED, Duration.ofDays(3)));
        assertThat(tombstone.expires()).as("without a stamp, expires stays").isEqualTo(settled.expires());
        assertThat(due())
                .as("a row is due when the dueIn of its newest write is over, not when it expires")
                .isEmpty();
        clocks.advance(Duration.ofDays(3));
        assertThat(due())
                .as("a row whose dueIn is over, written without a stamp")
                .extracting(Row::version)
                .containsExactly(tombstone.version());
        Row forgotten = replace(tombstone, unstamped(null, Duration.ofDays(7)));
        assertThat(due()).as("the dueIn of the forget has just begun").isEmpty();
        clocks.advance(Duration.ofDays(7));
        assertThat(due())
                .as("a forgotten row whose dueIn is over")
                .singleElement()
                .satisfies(row -> assertSame(row, forgotten));
        replace(forgotten, unstamped(null, null));
        assertThat(due()).as("a write without a dueIn makes its row never due").isEmpty();
    }

    /** Rows that can't be purged stay due, and must not hide the rows after them. */
    @Test
    void pagesOfDueRowsGoOnBehindRowsThatStay() {
        Searchable searchable = searchable();
        List<Row> settled = IntStream.range(0, 5)
                .mapToObj(i -> replace(row(store.insert(AT.withOperation("op-" + i), grant())), completion()))
                .toList();
        clocks.advance(Duration.ofDays(1));
        List<Long> met = new ArrayList<>();
        String place = null;
        int pages = 0;
        do {
            Walkable.Batch page = searchable.due(place, 2);
            page.rows().forEach(row -> met.add(row.version()));
            assertThat(met)
                    .as("a page goes on behind the last row of the page before, also where that row is still due")
                    .doesNotHaveDuplicates();
            assertThat(++pages).as("pages of five rows, two at a time").isLessThan(10);
            place = page.next();
        } while (place != null);
        assertThat(met)
                .containsExactlyInAnyOrderElementsOf(
                        settled.stream().map(Row::version).toList());
        replace(settled.get(0), grant());
        assertThat(searchable.delete(settled))
                .as("all but the one that has changed")
                .isEqualTo(4);
        assertThat(searchable.countDue()).isZero();
    }

    @Test
    void rowsAreListedDownwardsByFence() {
        Searchable searchable = searchable();
        for (int i = 0; i < 5; i++) {
            store.insert(AT.withOperation("op-" + i), grant());
        }
        replace(insert(), draft(null, Stamp.NONE, false));
        List<Row> all = searchable
                .scan(Query.all(), EnumSet.allOf(State.class), Long.MAX_VALUE, 10)
                .rows();
        assertThat(all).extracting(row -> row.at().operation()).containsExactly("op-4", "op-3", "op-2", "op-1", "op-0");
        long below = all.get(1).fence().number();
        assertThat(searchable
                        .scan(Query.all(), EnumSet.of(State.IN_PROGRESS), below, 2)
                        .rows())
                .extracting(row -> row.at().operation())
                .containsExactly("op-2", "op-1");
        assertThat(searchable.counts()).isEqualTo(Map.of(State.IN_PROGRESS, 5L));
    }

    /** Nobody filters what a store has counted: a row too many tells one tenant about another. */
    @Test
    void aStoreCountsTheRowsOfTheQueryAlone() {
        Searchable searchable = searchable();
        EnumSet<State> settled = EnumSet.of(State.COMPLETE, State.FAILED, State.IN_DOUBT);
        assumeTrue(
                searchable.counts(Query.all().withOldestFirst(), settled, 0).isPresent(), "this store does not count");
        Row first = replace(insert(), completion());
        replace(row(store.insert(new Address("shop2", "charge", "order-1"), grant())), completion());
        store.insert(AT.withOperation("running"), grant());
        Query shop = Query.all().withScope("shop").withOldestFirst();
        Instant hour = first.claimed().wall().truncatedTo(ChronoUnit.HOURS);
        assertThat(searchable.counts(shop, settled, 0).orElseThrow())
                .as("rows of other scopes, and rows in progress, do not count")
                .containsExactly(new Counts.Group("charge", State.COMPLETE, hour, 1, 0));
        assertThat(searchable.counts(shop, EnumSet.of(State.FAILED), 0).orElseThrow())
                .isEmpty();
        assertThat(searchable.counts(shop, settled, first.fence().number()).orElseThrow())
                .as("only rows behind the fence")
                .isEmpty();
        clocks.advance(Duration.ofDays(1));
        assertThat(searchable.counts(shop, settled, 0).orElseThrow())
                .as("an expired row does not count")
                .isEmpty();
    }

    @Test
    void aWalkMeetsEveryRow() {
        Row settled = replace(insert(), completion());
        for (int i = 0; i < 5; i++) {
            store.insert(AT.withOperation("op-" + i), grant());
        }
        assertThat(walked(false)).hasSize(6).extracting(Row::version).contains(settled.version());
        assertThat(walked(true)).isEmpty();
        clocks.advance(Duration.ofDays(1));
        assertThat(walked(true)).singleElement().satisfies(row -> assertSame(row, settled));
    }

    /** One row that a later version wrote, or a person has edited, hid all other entries. */
    @Test
    void aRowThatCanNotBeReadHidesNoOther() {
        Ledger ledger = new StoreLedger(store, Processes.unknown());
        List<Address> readable = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            Address at = AT.withOperation("op-" + i);
            readable.add(0, at);
            ledger.claim(ClaimRequest.of(new AttemptId(7, i), at, Fingerprints.NONE, Owner.named("me")));
            if (i == 1) {
                // The documents of this contract are none that the rules can read.
                insert();
            }
        }
        assumeTrue(ledger.as(Browsable.class).isPresent(), "this store is neither Searchable nor Walkable");
        Browsable browsable = ledger.as(Browsable.class).orElseThrow();
        List<Address> met = new ArrayList<>();
        List<Address> unreadable = new ArrayList<>();
        String next = null;
        do {
            Page page = browsable.browse(Query.all().withLimit(1).withAfter(next));
            page.entries().forEach(entry -> met.add(entry.address()));
            page.unreadable().forEach(row -> unreadable.add(row.address()));
            next = page.next();
            // A store whose fences do not grow would have pages without end.
        } while (next != null && met.size() <= readable.size());
        assertThat(met).isEqualTo(readable);
        assertThat(unreadable).as("it is named once, on one page").containsExactly(AT);
        assertThat(browsable.browse(Query.all().withKey("another")).unreadable())
                .as("where another key is asked for")
                .isEmpty();
        assertThat(browsable.stats().count(State.IN_PROGRESS))
                .as("it counts by its stored state")
                .isEqualTo(4);
    }
}
