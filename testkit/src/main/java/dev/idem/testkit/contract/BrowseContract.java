package dev.idem.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.idem.Address;
import dev.idem.Entry;
import dev.idem.State;
import dev.idem.spi.Ticket;
import dev.idem.spi.browse.Browsable;
import dev.idem.spi.browse.Counts;
import dev.idem.spi.browse.Match;
import dev.idem.spi.browse.Page;
import dev.idem.spi.browse.Query;
import dev.idem.spi.browse.Stats;
import dev.idem.testkit.LedgerCase;
import dev.idem.testkit.Settlements;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Listing and counting entries. */
abstract class BrowseContract extends LedgerCase {
    private Browsable browsable() {
        return capability(Browsable.class);
    }

    private static Address address(String key) {
        return new Address("shop", "charge", key);
    }

    private Ticket labelled(String key, Map<String, String> labels) {
        return granted(request(address(key)).withLabels(labels)).ticket();
    }

    private List<String> keys(Query query) {
        return keys(browsable().browse(query));
    }

    private static List<String> keys(Page page) {
        return page.entries().stream().map(entry -> entry.address().key()).toList();
    }

    private void oneOfEach() {
        take(address("running"));
        ledger().settle(take(address("complete")), Settlements.completed("1"));
        ledger().settle(take(address("failed")), Settlements.failed());
        ledger().settle(take(address("doubted")), Settlements.doubtful());
    }

    @Test
    void anEmptyLedgerHasOneEmptyPage() {
        assertThat(browsable().browse(Query.all())).isEqualTo(new Page(List.of(), null));
        assertThat(browsable().stats()).isEqualTo(new Stats(Map.of(), 0));
    }

    @Test
    void showsEntriesAsFindDoes() {
        browsable();
        labelled("a", Map.of("customer", "cus_1"));
        ledger().settle(take(address("b")), Settlements.completed("{\"charged\":4200}"));
        passLease();
        for (Entry entry : browsable().browse(Query.all()).entries()) {
            assertThatAllOf(entry).isEqualTo(entry(entry.address()));
        }
        assertThat(keys(Query.all())).containsExactly("b", "a");
    }

    @Test
    void theNewestClaimComesFirst() {
        take(address("a"));
        ledger().settle(take(address("b")), Settlements.failed());
        take(address("c"));
        take(address("b"));
        assertThat(keys(Query.all())).containsExactly("b", "c", "a");
    }

    @Test
    void filtersByState() {
        oneOfEach();
        assertThat(keys(Query.all().withStates(State.COMPLETE))).containsExactly("complete");
        assertThat(keys(Query.all().withStates(State.FAILED, State.IN_DOUBT))).containsExactly("doubted", "failed");
        assertThat(keys(Query.all().withStates(State.EXPIRED))).isEmpty();
    }

    @Test
    void filtersByTheStateThatCounts() {
        browsable();
        take(address("lapsed"));
        granted(request(address("harmless")).withStaged(true));
        passLease();
        take(address("running"));
        assertThat(keys(Query.all().withStates(State.IN_DOUBT))).containsExactly("lapsed");
        assertThat(keys(Query.all().withStates(State.FAILED))).containsExactly("harmless");
        assertThat(keys(Query.all().withStates(State.IN_PROGRESS))).containsExactly("running");
    }

    @Test
    void filtersByWholeNames() {
        for (String scope : List.of("s", "s%", "s_", "S", "s2")) {
            take(new Address(scope, "o", "in:" + scope));
            take(new Address("other", scope, "op:" + scope));
        }
        for (String name : List.of("s", "s%", "s_", "S", "s2")) {
            assertThat(keys(Query.all().withScope(name))).containsExactly("in:" + name);
            assertThat(keys(Query.all().withOperation(name))).containsExactly("op:" + name);
            assertThat(keys(Query.all().withKey("in:" + name))).containsExactly("in:" + name);
            assertThat(keys(Query.all().withScope(name).withOperation(name))).isEmpty();
        }
        assertThat(keys(Query.all().withScope("%"))).isEmpty();
    }

    @Test
    void filtersByTheBeginningsOfNames() {
        List<String> names = List.of("a", "a/", "a/1", "a/%", "a/_x", "a/ü", "a/😀", "a/\uffff", "A/1", "a0", "b");
        for (String name : names) {
            take(new Address(name, "o", "k"));
        }
        assertThat(scopes(Match.prefix("a/"))).containsExactly("a/\uffff", "a/😀", "a/ü", "a/_x", "a/%", "a/1", "a/");
        assertThat(scopes(Match.prefix("a/%"))).containsExactly("a/%");
        assertThat(scopes(Match.prefix("a/\uffff"))).containsExactly("a/\uffff");
        assertThat(scopes(Match.prefix("A"), Match.exactly("a"), Match.exactly("a/_")))
                .containsExactly("A/1", "a");
        assertThat(scopes(Match.prefix(""))).hasSize(names.size());
        assertThat(scopes(Match.prefix("c"))).isEmpty();
    }

    private List<String> scopes(Match... any) {
        return browsable().browse(Query.all().withScopes(List.of(any))).entries().stream()
                .map(entry -> entry.address().scope())
                .toList();
    }

    @Test
    void filtersByTheBeginningOfAKey() {
        for (String key : List.of("req-1", "req-10", "req-2", "re", "Req-1", "req~")) {
            take(address(key));
        }
        assertThat(keys(Query.all().withKeyLike(Match.prefix("req-")))).containsExactly("req-2", "req-10", "req-1");
        assertThat(keys(Query.all().withKeyLike(Match.prefix("req-1")))).containsExactly("req-10", "req-1");
        assertThat(keys(Query.all().withKeyLike(Match.prefix("req~")))).containsExactly("req~");
        assertThat(keys(Query.all().withKeyLike(Match.prefix("req-")).withOldestFirst()))
                .containsExactly("req-1", "req-10", "req-2");
    }

    @Test
    void theOldestClaimComesFirstIfItIsAskedFor() {
        oneOfEach();
        List<String> newest = keys(Query.all());
        List<String> oldest = new ArrayList<>();
        Query query = Query.all().withOldestFirst().withLimit(2);
        Page page = browsable().browse(query);
        page.entries().forEach(entry -> oldest.add(entry.address().key()));
        while (page.next() != null && oldest.size() <= newest.size()) {
            page = browsable().browse(query.withAfter(page.next()));
            page.entries().forEach(entry -> oldest.add(entry.address().key()));
        }
        Collections.reverse(oldest);
        assertThat(oldest).isEqualTo(newest).hasSizeGreaterThan(3);
    }

    @Test
    void filtersByAllLabels() {
        labelled("a", Map.of("customer", "cus_1", "order", "7"));
        labelled("b", Map.of("customer", "cus_1"));
        labelled("c", Map.of("customer", "cus_12"));
        labelled("d", Map.of("order", "cus_1"));
        assertThat(keys(Query.all().withLabels(Map.of("customer", "cus_1")))).containsExactly("b", "a");
        assertThat(keys(Query.all().withLabels(Map.of("customer", "cus_1", "order", "7"))))
                .containsExactly("a");
        assertThat(keys(Query.all().withLabels(Map.of("customer", "cus_%")))).isEmpty();
        assertThat(keys(Query.all().withLabels(Map.of("customer", "cus_1", "order", "8"))))
                .isEmpty();
    }

    @Test
    void labelsAreThoseOfTheNewestGrant() {
        ledger().settle(labelled("a", Map.of("try", "one")), Settlements.failed());
        labelled("a", Map.of("try", "two"));
        assertThat(keys(Query.all().withLabels(Map.of("try", "one")))).isEmpty();
        assertThat(keys(Query.all().withLabels(Map.of("try", "two")))).containsExactly("a");
    }

    @Test
    void labelsOfTheForgottenFindNothing() {
        Ticket ticket = labelled("a", Map.of("customer", "cus_1"));
        ledger().settle(ticket, Settlements.completed("1"));
        ledger().forget(entry(ticket.address()));
        assertThat(keys(Query.all().withLabels(Map.of("customer", "cus_1")))).isEmpty();
    }

    @Test
    void filtersByAge() {
        browsable();
        take(address("old"));
        pass(Duration.ofMinutes(10));
        take(address("middle"));
        pass(Duration.ofMinutes(10));
        take(address("new"));
        assertThat(keys(Query.all().withAge(Duration.ofMinutes(10), null))).containsExactly("middle", "old");
        assertThat(keys(Query.all().withAge(null, Duration.ofMinutes(10)))).containsExactly("new", "middle");
        assertThat(keys(Query.all().withAge(Duration.ofMinutes(5), Duration.ofMinutes(15))))
                .containsExactly("middle");
        assertThat(keys(Query.all().withAge(Duration.ofMinutes(21), null))).isEmpty();
    }

    @Test
    void pagesShowEveryEntryOnce() {
        List<String> expected = new ArrayList<>();
        for (int i = 0; i < 25; i++) {
            take(address("key-" + i));
            expected.add(0, "key-" + i);
        }
        List<String> seen = new ArrayList<>();
        Query query = Query.all().withLimit(10);
        Page page = browsable().browse(query);
        List<Integer> sizes = new ArrayList<>();
        while (true) {
            seen.addAll(keys(page));
            sizes.add(page.entries().size());
            if (page.next() == null) {
                break;
            }
            page = browsable().browse(query.withAfter(page.next()));
        }
        assertThat(seen).isEqualTo(expected);
        assertThat(sizes).containsExactly(10, 10, 5);
    }

    @Test
    void aPageThatIsJustFullIsTheLast() {
        for (int i = 0; i < 4; i++) {
            take(address("key-" + i));
        }
        assertThat(browsable().browse(Query.all().withLimit(4)).next()).isNull();
    }

    @Test
    void pagesStayStableWhileEntriesComeAndGo() {
        List<String> staying = new ArrayList<>();
        List<Ticket> leaving = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            Ticket ticket = take(address("key-" + i));
            ledger().settle(ticket, Settlements.completed("1"));
            if (i % 4 == 1) {
                leaving.add(ticket);
            } else {
                staying.add("key-" + i);
            }
        }
        List<String> seen = new ArrayList<>();
        Query query = Query.all().withLimit(3);
        Page page = browsable().browse(query);
        for (int round = 0; page.next() != null; round++) {
            seen.addAll(keys(page));
            take(address("late-" + round));
            if (round < leaving.size()) {
                Ticket ticket = leaving.get(round);
                ledger().forget(entry(ticket.address()));
            }
            page = browsable().browse(query.withAfter(page.next()));
        }
        seen.addAll(keys(page));
        assertThat(seen).containsAll(staying);
        assertThat(new HashSet<>(seen)).as("nothing twice").hasSameSizeAs(seen);
        assertThat(seen).noneMatch(key -> key.startsWith("late-"));
    }

    @Test
    void filtersApplyToEveryPage() {
        for (int i = 0; i < 9; i++) {
            Ticket ticket = labelled("key-" + i, Map.of("odd", Boolean.toString(i % 2 == 1)));
            if (i % 3 == 0) {
                ledger().settle(ticket, Settlements.completed("1"));
            }
        }
        Query query = Query.all()
                .withLabels(Map.of("odd", "true"))
                .withStates(State.IN_PROGRESS)
                .withLimit(2);
        Page first = browsable().browse(query);
        Page second = browsable().browse(query.withAfter(first.next()));
        assertThat(keys(first)).containsExactly("key-7", "key-5");
        assertThat(keys(second)).containsExactly("key-1");
        assertThat(second.next()).isNull();
    }

    @Test
    void aCursorThatNobodyGaveOutIsRefused() {
        Browsable browsable = browsable();
        assertThatThrownBy(() -> browsable.browse(Query.all().withAfter("no cursor")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("no cursor");
    }

    @Test
    void statsCountWhatFindShows() {
        browsable();
        oneOfEach();
        ledger().claim(request(address("complete")));
        take(address("lapsing"));
        passLease();
        Stats stats = browsable().stats();
        assertThat(stats.count(State.IN_PROGRESS)).isZero();
        assertThat(stats.count(State.COMPLETE)).isEqualTo(1);
        assertThat(stats.count(State.FAILED)).isEqualTo(1);
        assertThat(stats.count(State.IN_DOUBT)).isEqualTo(3);
        assertThat(stats.replays()).isBetween(0L, 1L);
    }

    @Test
    void countsAreThoseOfTheEntriesOnAllPages() {
        Browsable browsable = browsable();
        take(new Address("shop", "charge", "long-ago"));
        pass(Duration.ofHours(2));
        oneOfEach();
        granted(request(address("harmless")).withStaged(true));
        take(address("lapsing"));
        ledger().settle(take(new Address("shop2", "mail", "complete")), Settlements.completed("1"));
        ledger().settle(take(new Address("shop2", "mail", "failed")), Settlements.failed());
        ledger().claim(request(address("complete")));
        ledger().claim(request(address("complete")));
        passLease();
        take(address("new"));
        Query all = Query.all();
        assertCounted(all);
        assertThat(browsable
                        .counts(all.withStates(State.IN_DOUBT, State.COMPLETE))
                        .groups())
                .extracting(Counts.Group::state)
                .containsOnly(State.IN_DOUBT, State.COMPLETE);
        for (Query query : List.of(
                all.withStates(State.IN_DOUBT),
                all.withStates(State.FAILED, State.IN_PROGRESS),
                all.withScope("shop"),
                all.withScopes(List.of(Match.prefix("shop2"), Match.exactly("other"))),
                all.withOperation("mail"),
                all.withKey("complete"),
                all.withAge(null, Duration.ofHours(1)),
                all.withAge(Duration.ofHours(1), null),
                all.withLimit(1))) {
            assertCounted(query);
        }
        assertThat(browsable.counts(all.withScope("shop3")).groups()).isEmpty();
    }

    /** Ages are counted from now, so they are far from the claims: a server goes by its own clock. */
    private void assertCounted(Query query) {
        Counts.Tally tally = new Counts.Tally();
        browsable().browse(query.withLimit(100)).entries().forEach(tally::add);
        Counts counted = browsable().counts(query);
        assertThat(counted.groups())
                .as("%s", query)
                .isNotEmpty()
                .containsExactlyInAnyOrderElementsOf(tally.counts(null).groups());
        assertThat(counted.from()).isNull();
    }

    @Test
    void expiredEntriesAreNotCounted() {
        Browsable browsable = browsable();
        ledger().settle(take(address("expiring")), Settlements.completed("1"));
        take(address("running"));
        pass(Duration.ofDays(400));
        assertThat(browsable.counts(Query.all()).groups())
                .extracting(Counts.Group::state)
                .containsExactly(State.IN_DOUBT);
        assertThat(browsable.counts(Query.all().withStates(State.EXPIRED)).groups())
                .isEmpty();
    }

    @Test
    void browsingWritesNothing() {
        oneOfEach();
        List<Entry> before = browsable().browse(Query.all()).entries();
        browsable().stats();
        browsable().counts(Query.all());
        assertThat(browsable().browse(Query.all()).entries()).isEqualTo(before);
    }
}
