package dev.idem.server.pages;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idem.Address;
import dev.idem.Policy;
import dev.idem.Probe;
import dev.idem.lab.Proxy;
import dev.idem.testkit.Until;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.openqa.selenium.Keys;

/** What the pages show: live, by hand, on a phone, in the dark, to readers of screens, and of what wants to break out. */
final class PageLooksTest extends PageCase {
    private static final String MARKUP = "\"'><img/src=x/onerror=hacked=1><script>hacked=1</script>${hacked=1}";
    private static final String HIDDEN = "\u202Etxt.exe\u200F\u2066\uFEFF";
    private static final List<String> PAGES = List.of("", "search", "entry", "scope", "numbers");

    @Test
    void callsAppearWhileSomebodyLooks() throws Exception {
        signIn("ann");
        untilShown("Nothing needs you");
        world.doubt("order-1", "cus_1");
        untilShown("Charge for cus_1, 42.00 USD");
        until("document.title.startsWith('(1) ')");
        go("search");
        until("document.querySelectorAll('[data-testid=hit]').length === 1");
        world.call("order-2", "send_email", "mail-1").run(call -> "sent");
        until("document.querySelectorAll('[data-testid=hit]').length === 2");
        assertThat(text(id("hit"))).contains("send_email", "done");
        // While somebody types, rows do not move.
        type(id("search"), "x");
        world.call("order-2", "send_email", "mail-2").run(call -> "sent");
        untilShown("1 new");
        assertThat(count(id("hit"))).isEqualTo(2);
        click(id("news"));
        until("document.querySelectorAll('[data-testid=hit]').length === 3");
    }

    /** The number of what needs a person is in the tab on every page, and not only when the next look is due. */
    @Test
    @Tag("proof")
    void theBadgeFollowsOnOtherPages() throws Exception {
        signIn("ann");
        withoutPolling();
        go("numbers");
        untilLive();
        world.doubt("order-1", "cus_1");
        until("document.querySelector('[data-testid=badge]')?.innerText === '1'");
        until("document.title.startsWith('(1) Numbers')");
        go("search");
        untilLive();
        world.doubt("order-2", "cus_2");
        until("document.querySelector('[data-testid=badge]')?.innerText === '2'");
    }

    /** The stream breaks with the server, or ends with a tab that is not seen. Then the page reads once what it has missed. */
    @Test
    @Tag("proof")
    void whatWasMissedIsReadOnce() throws Exception {
        try (Proxy proxy = signInBehind("ann")) {
            untilShown("Nothing needs you");
            withoutPolling();
            proxy.turnTo(1);
            untilShown("The server does not answer since");
            world.doubt("order-1", "cus_1");
            browser.requests();
            proxy.turnTo(world.carrier.port());
            untilShown("Charge for cus_1");
            untilLive();
            untilGone("The server does not answer since");
            assertThat(browser.requests())
                    .filteredOn(each -> each.endsWith("v1/browse"))
                    .hasSize(1);

            hide();
            world.doubt("order-2", "cus_2");
            assertThat(browser.requests()).noneMatch(each -> each.contains("v1/"));
            seeAgain();
            untilShown("Charge for cus_2");
            untilLive();
            assertThat(browser.requests())
                    .filteredOn(each -> each.endsWith("v1/browse"))
                    .hasSize(1);

            go("numbers");
            untilLive();
            proxy.turnTo(1);
            untilShown("The server does not answer since");
            world.doubt("order-3", "cus_3");
            proxy.turnTo(world.carrier.port());
            until("document.querySelector('[data-testid=badge]')?.innerText === '3'");
        }
    }

    /** Also where its rows do not move, since somebody has left a reason half typed. */
    @Test
    @Tag("proof")
    void aTabThatIsSeenAgainTellsTheNewCount() throws Exception {
        world.doubt("order-1", "cus_1");
        signIn("ann");
        withoutPolling();
        click(id("ending-complete"));
        type(id("why"), "seen in the da");
        hide();
        world.doubt("order-2", "cus_2");
        seeAgain();
        untilShown("1 new");
        until("document.title.startsWith('(2) Needs you')");
        assertThat(text(id("badge"))).isEqualTo("2");
        assertThat(count(id("item"))).isEqualTo(1);
        go("numbers");
        untilLive();
        hide();
        world.doubt("order-3", "cus_3");
        seeAgain();
        until("document.title.startsWith('(3) Numbers')");
    }

    private void hide() {
        browser.run("Object.defineProperty(document, 'hidden', {get: () => window.away, configurable: true});"
                + " window.away = true; document.dispatchEvent(new Event('visibilitychange'))");
        until("document.querySelector('[data-testid=live].paused')");
    }

    private void seeAgain() {
        browser.run("window.away = false; document.dispatchEvent(new Event('visibilitychange'))");
    }

    /** Ends the timers of the page: what it shows from now on, it has heard of. */
    private void withoutPolling() {
        browser.run("for (let i = 0; i < 10000; i++) { clearInterval(i); }");
    }

    @Test
    void entriesAreFilteredAndOpened() throws Exception {
        world.doubt("order-1", "cus_1");
        world.call("order-2", "send_email", "mail-1")
                .label("to", "ann")
                .run(call -> Map.of("id", "secret-of-the-result"));
        world.call("order-2", "send_email", "mail-2").label("to", "bob").run(call -> "sent");
        world.call("order-2", "send_email", "mail-2").run(call -> "sent again");
        signIn("ann");
        go("search");
        until("document.querySelectorAll('[data-testid=hit]').length === 3");
        type(id("search"), "to=a");
        until("document.querySelector('[data-testid=suggestion]')?.innerText.includes('to=ann')");
        click(id("suggestion"));
        until("document.querySelectorAll('[data-testid=hit]').length === 1");
        until("location.hash === '#/search?label=to%3Dann'");
        click(".chip-off");
        until("document.querySelectorAll('[data-testid=hit]').length === 3");
        go("search?state=in_doubt&newer=1h");
        until("document.querySelectorAll('[data-testid=hit]').length === 1");
        go("search?state=failed");
        untilShown("Nothing is found");
        go("search?message=BANK+did+not");
        until("document.querySelectorAll('[data-testid=hit]').length === 1");
        go("search?tries=2");
        untilShown("Nothing is found");
        go("search?older=2026-01-01");
        untilShown("Nothing is found");
        type(id("search"), "newer:2026-01-01" + Keys.ENTER);
        until("location.hash.includes('newer=2026-01-01T00')");
        click(".chip-off");
        until("document.querySelectorAll('[data-testid=hit]').length === 3");

        go("search?key=mail-2");
        untilShown("↻ asked again 1×");
        go("entry?scope=order-2&operation=send_email&key=mail-2");
        untilShown("The action ran once. The same call came once more, and got the stored answer.");
        go("search?key=mail-1");
        until("document.querySelectorAll('[data-testid=hit]').length === 1");
        click("a.hit");
        untilShown("What happened");
        until("document.querySelector('[data-testid=event-complete]')");
        assertThat(text()).contains("send_email for ann", "mail-1").doesNotContain("secret-of-the-result");
        click(id("show-result"));
        untilShown("secret-of-the-result");
    }

    /** "Was customer 42 charged twice?" The value alone is enough, whatever its label is called. */
    @Test
    void aValueIsFoundWithoutTheNameOfItsLabel() throws Exception {
        for (int i = 0; i < 2; i++) {
            world.call("order-1", "send_email", "mail-" + i)
                    .label("zz_customer", "cus_42")
                    .run(call -> "sent");
        }
        for (int i = 0; i < 30; i++) {
            world.call("order-2", "send_email", "other-" + i)
                    .label("label_" + i, "x")
                    .run(call -> "sent");
        }
        signIn("ann");
        go("search?key=cus_42*");
        untilShown("It is the value of a label");
        click(".empty a");
        until("document.querySelectorAll('[data-testid=hit]').length === 2");
        go("search?key=cus_43*");
        untilShown("no call has a label with this whole value either");
        go("search");
        type(id("search"), "cus_42");
        until("document.querySelector('[data-testid=suggestion]')?.innerText.includes('zz_customer=cus_42')");
    }

    /** People type what they know, and press Enter before anything is suggested. */
    @Test
    @Tag("proof")
    void enterTakesTheFirstSuggestion() throws Exception {
        world.doubt("order-1", "cus_1");
        world.call("order-2", "send_email", "mail-1").label("to", "ann").run(call -> "sent");
        signIn("ann");
        Map<String, String> asked = Map.of(
                "cus_", "label=customer%3Dcus_1",
                "custo", "label=customer%3Dcus_1",
                "doubt", "state=in_doubt",
                "Char", "operation=charge",
                "order-2", "scope=order-2",
                "mail", "key=mail*",
                "nowhere", "key=nowhere*");
        for (Map.Entry<String, String> each : asked.entrySet()) {
            go("search");
            type(id("search"), each.getKey());
            press(Keys.ENTER);
            if (each.getKey().equals("custo")) {
                until("document.querySelector('#search-field').value === 'label:customer='");
                press(Keys.ENTER);
            }
            until("location.hash === '#/search?' + arguments[0]", each.getValue());
            until("!document.querySelector('.loading')");
            if (each.getKey().equals("nowhere")) {
                untilShown("Ask for other things by name: state:failed scope:order-7");
            } else {
                until("document.querySelectorAll('[data-testid=hit]').length === 1");
            }
        }
    }

    @Test
    @Tag("proof")
    void aScopeIsAWaterfallOfItsSteps() throws Exception {
        CountDownLatch both = new CountDownLatch(2);
        Set<Long> begun = ConcurrentHashMap.newKeySet();
        List<Thread> threads = List.of("book_flight", "book_hotel").stream()
                .map(tool -> new Thread(() -> world.idem
                        .operation(tool)
                        .scope("trip-42")
                        .key(tool)
                        .attempt(call -> {
                            begun.add(System.nanoTime());
                            both.countDown();
                            both.await(60, TimeUnit.SECONDS);
                            long last = Collections.max(begun);
                            long alone = last - Collections.min(begun);
                            Until.isTrue(
                                    "a third of the bars overlaps",
                                    () -> System.nanoTime() - last > alone + 50_000_000);
                            return "booked";
                        })))
                .toList();
        threads.forEach(Thread::start);
        for (Thread each : threads) {
            each.join();
        }
        for (int i = 0; i < 3; i++) {
            world.call("trip-42", "book_flight", "book_flight").run(call -> "again");
        }
        world.doubt("trip-42", "cus_1");
        signIn("ann");
        go("scope?scope=trip-42");
        until("document.querySelectorAll('[data-testid=step]').length === 3");
        assertThat(text())
                .contains(
                        "Book a flight",
                        "↻ asked again 3×",
                        "in doubt",
                        "came 3 more times, and got the stored answer: nothing ran again");
        // The bookings ran at the same time, and the charge after them.
        List<?> bars = (List<?>)
                browser.run(
                        "return [...document.querySelectorAll('[data-testid=step] .bar')]"
                                + ".map(each => each.getBoundingClientRect()).flatMap(each => [Math.round(each.left), Math.round(each.right)])");
        assertThat((Long) bars.get(2)).isLessThan((Long) bars.get(1));
        assertThat((Long) bars.get(4)).isGreaterThan((Long) bars.get(0));
        click("[data-testid=step] a");
        until("location.hash.startsWith('#/entry?')");
    }

    /** Two calls of a tool without labels differ in their keys alone. */
    @Test
    @Tag("proof")
    void rowsShowTheTitleAndThenTheKey() throws Exception {
        String key = "request-of-a-customer-with-a-very-long-name-17";
        world.doubt(world.call("order-1", "charge", key), new Address("order-1", "charge", key));
        world.doubt(world.call("order-1", "charge", "short-18"), new Address("order-1", "charge", "short-18"));
        signIn("ann");
        go("search");
        rowHas(id("hit"));
        go("scope?scope=order-1");
        rowHas(id("step"));
        go("");
        click(".item.open .item-head");
        rowHas(".item-name");
    }

    private void rowHas(String css) {
        until("document.querySelectorAll(arguments[0]).length === 2", css);
        assertThat(String.valueOf(browser.run(
                        "return [...document.querySelectorAll(arguments[0])].map(each => each.innerText).join()", css)))
                .containsPattern("(?s)Charge.*request-of-a-cus…ame-17")
                .containsPattern("(?s)Charge.*short-18");
        assertThat(count(css + " [title='request-of-a-customer-with-a-very-long-name-17']"))
                .isEqualTo(1);
    }

    /** Keys may differ in their last characters alone: these are seen where room is short, and the rest where there is room. */
    @Test
    @Tag("proof")
    void bothEndsOfAKeyAreSeenOnEveryScreen() throws Exception {
        String operation = "reconcile_invoices_of_a_customer_with_the_bank";
        String begin = "request-of-a-customer-with-a-very-long-name-" + "and-more-".repeat(20);
        for (String end : List.of("17", "18")) {
            Address address = new Address("order-1", operation, begin + end);
            world.doubt(world.call("order-1", operation, begin + end), address);
        }
        signIn("ann");
        for (int width : List.of(390, 1280, 1920)) {
            browser.resize(width, 900, width == 390);
            for (String page : List.of("search", "scope?scope=order-1")) {
                go(page);
                until("document.querySelectorAll('.key-tail').length === 2");
                assertThat(browser.run("""
                        return [...document.querySelectorAll('.key-tail')].map(each => {
                          const at = each.getBoundingClientRect();
                          for (let up = each.parentElement; up !== document.body; up = up.parentElement) {
                            const box = up.getBoundingClientRect();
                            if (at.width === 0 || at.left < box.left - 1 || at.right > box.right + 1) {
                              return 'cut by ' + up.outerHTML;
                            }
                          }
                          return each.textContent;
                        }).sort()""")).as(page + " at " + width).isEqualTo(List.of("ore-17", "ore-18"));
                if (width == 1920) {
                    assertThat(browser.run("const name = document.querySelector('.hit-name, .step-name bdi');"
                                    + " return name.scrollWidth - name.clientWidth"))
                            .as("how much of a title is cut, " + page)
                            .isEqualTo(0L);
                }
                isAsWideAsTheScreen(page);
            }
            go("");
            find(".item.open .key");
            assertThat(text(".item.open .key")).isEqualTo(begin + "17");
            isAsWideAsTheScreen("the queue");
        }
    }

    private void isAsWideAsTheScreen(String where) {
        assertThat(browser.run("return document.documentElement.scrollWidth - innerWidth"))
                .as("how far the page scrolls sideways: " + where)
                .isIn(0L, -15L);
    }

    /** "Claimed" was read as "ran once more". */
    @Test
    @Tag("proof")
    void theClaimOfAProbeIsCalledAProbe() throws Exception {
        world.doubt("order-1", "cus_1");
        world.call("order-1", "charge", "req-cus_1")
                .probe(entry -> Probe.Verdict.happened("ch_1"))
                .run(call -> "never");
        signIn("ann");
        go("entry?scope=order-1&operation=charge&key=req-cus_1");
        untilShown("A probe asked whether it had happened");
        assertThat(text(id("standing"))).startsWith("Done: a probe asked at ");
        assertThat(text()).contains("A probe asked\n", "First claimed\n").doesNotContain("Ran at");
    }

    @Test
    @Tag("proof")
    void aCallShowsWhatRanInsideOfIt() throws Exception {
        world.call("order-1", "book_trip", "trip-1")
                .run(call -> world.call("order-1", "book_flight", "flight-1").run(inner -> "booked"));
        signIn("ann");
        go("entry?scope=order-1&operation=book_trip&key=trip-1");
        untilShown("Calls that ran inside of it:");
        click(".children a");
        untilShown("It ran inside of book_trip");
    }

    @Test
    void numbersAreCounted() throws Exception {
        for (int i = 0; i < 3; i++) {
            world.call("order-1", "charge", "req-1").label("cents", "4200").run(call -> "ch_1");
        }
        world.doubt("order-2", "cus_2");
        world.held("ops", "pay", Map.of("cents", 4200));
        signIn("ann");
        CountDownLatch running = new CountDownLatch(1);
        CountDownLatch over = new CountDownLatch(1);
        Thread slow = new Thread(() -> world.idem
                .operation("slow_report")
                .scope("order-3")
                .key("slow")
                .attempt(call -> {
                    running.countDown();
                    return over.await(60, TimeUnit.SECONDS);
                }));
        slow.start();
        running.await();
        go("numbers");
        until("document.querySelector('[data-testid=chart-runs]')");
        String tiles = String.valueOf(
                browser.run("return [...document.querySelectorAll('.tile')].map(each => each.innerText).join('\\n')"));
        assertThat(tiles)
                .contains(
                        "Tries\n3\nbegan since ",
                        "Duplicates prevented\n2\ncame since ",
                        "Not moved twice\n84.00 USD\nby duplicates of the calls of the last 24 hours",
                        "Failed tries\n0\nbegan since ",
                        "half of the 1 completed tries that began since ",
                        "In doubt now\n1",
                        "Waiting for approval now\n1",
                        "Running now\n1\nof those that began since ");
        assertThat(text("table")).containsPattern("Charge 1 – 1 – 2 84.00 USD").containsPattern("All tools 1 – 1 1 2");
        assertThat(text(id("total")))
                .containsPattern("3 tries since .*: 1 done, 1 ended in doubt, 1 running now")
                .contains("2 duplicates came, and nothing ran again");
        go("numbers?last=7d");
        until("document.querySelector('[aria-current=true]')?.innerText === '7 days'");
        over.countDown();
        slow.join();
    }

    /** Such a ledger knows the newest try of a call alone. */
    @Test
    @Tag("proof")
    void aLedgerThatCountsNoTriesSaysWhatItCounts() throws Exception {
        world.close();
        serve(new PageWorld(folder, "memory:"));
        PageWorld.fails(
                world.call("order-1", "charge", "req-1").policy(Policy.unset().definiteOn(IOException.class)),
                new IOException("no route"));
        for (int i = 0; i < 3; i++) {
            world.call("order-1", "charge", "req-1").run(call -> "ch_1");
        }
        signIn("ann");
        go("numbers");
        until("document.querySelector('[data-testid=chart-runs]')");
        assertThat(text())
                .contains(
                        "Calls\n1\nhad their newest try in the last 24 hours",
                        "Duplicates prevented\n2\nof the calls that had their newest try in the last 24 hours",
                        "Failed now\n0\n",
                        "earlier tries are not counted",
                        "this ledger does not count times",
                        "Without earlier tries of the same call, which this ledger does not count")
                .doesNotContain("Tries", "since");
        assertThat(text("table")).contains("All tools 1 – – – 2 –");
    }

    /** Texts of others are texts: they run nothing, hide nothing, turn nothing round, and do not widen the page of a phone. */
    @Test
    void hostileTextIsText() throws Exception {
        String scope = MARKUP + HIDDEN + "w".repeat(255 - (MARKUP + HIDDEN).length());
        String operation = "tool" + MARKUP + HIDDEN;
        String key = MARKUP.replace(' ', '_') + "k".repeat(255 - MARKUP.length());
        Address doubt = new Address(scope, operation, key);
        String long_ = "x".repeat(100_000);
        world.doubt(
                world.call(scope, operation, key)
                        .label("about", MARKUP + HIDDEN)
                        .label("wide", "y".repeat(255))
                        .label("__proto__", "z"),
                doubt);
        PageWorld.fails(
                world.call(scope, operation, "failed").policy(Policy.unset().definiteOn(IOException.class)),
                new IOException(MARKUP + "\u0000\u001b[31m\u0007" + HIDDEN + long_ + "\n" + MARKUP + long_));
        world.call(scope, operation, "done").run(call -> Map.of(MARKUP + HIDDEN, "\u0000\u001b" + MARKUP + long_));
        world.held(scope, operation, Map.of(MARKUP, MARKUP + HIDDEN + "v".repeat(200)));
        world.givenUp("src" + MARKUP, "evt" + MARKUP, MARKUP + HIDDEN + long_);
        browser.resize(390, 844, true);
        signIn("ann");

        String entry = "entry?"
                + browser.run(
                        "return '' + new URLSearchParams({scope: arguments[0], operation: arguments[1]})",
                        scope,
                        operation)
                + "&key=";
        String encoded = (String) browser.run("return encodeURIComponent(arguments[0])", key);
        String session = (String) browser.run("return 'scope?' + new URLSearchParams({scope: arguments[0]})", scope);
        until("document.querySelectorAll('[data-testid=item]').length === 3");
        for (int i = 0; i < 3; i++) {
            browser.run(
                    "const all = [...document.querySelectorAll('.item-head')]; if (all[arguments[0]].getAttribute('aria-expanded') === 'false') all[arguments[0]].click()",
                    i);
            until("document.querySelectorAll('[data-testid=item]')[arguments[0]].classList.contains('open')", i);
            isHarmless("the queue, item " + i);
        }
        // A decision about it, and its notice.
        browser.run("document.querySelector('.item-head').click()");
        click(id("ending-complete"));
        type(id("why"), MARKUP);
        browser.run("document.querySelector('[data-testid=record]').click()");
        untilShown("sent in 10 s");
        isHarmless("the notice");
        click(id("undo"));
        for (String page : List.of(
                "search?state=in_doubt", entry + encoded, entry + "failed", entry + "done", session, "numbers")) {
            go(page);
            until("document.querySelector('h1')?.innerText.length > 0");
            if (page.endsWith("done")) {
                click(id("show-result"));
                until("document.querySelector('pre.result')");
            } else if (page.startsWith("search")) {
                click(id("bulk"));
                until("document.querySelectorAll('[data-testid=bulk-item]').length === 1");
                type(id("search"), "label:about=");
                until("document.querySelector('[data-testid=suggestion]')?.innerText.includes('<script>')");
            }
            isHarmless(page);
        }
    }

    private void isHarmless(String where) {
        assertThat(browser.run("return typeof hacked")).as(where).isEqualTo("undefined");
        assertThat(count("#app script, img[src=x]")).as(where).isZero();
        assertThat(text())
                .as(where)
                .contains("<script>hacked")
                .doesNotContain("\u202E", "\u200F", "\u2066", "\u001b", "\u0000");
        isAsWideAsTheScreen(where);
    }

    /** Whatever axe calls serious or critical, on each page, on a large screen and on a phone, in light and in dark colours. */
    @Test
    @Tag("proof")
    void readersOfScreensAndOfLowContrastAreServed() throws Exception {
        world.doubt("order-1", "cus_1");
        world.call("order-1", "send_email", "mail-1").label("to", "ann").run(call -> "sent");
        PageWorld.fails(
                world.call("order-1", "send_email", "mail-2")
                        .policy(Policy.unset().definiteOn(IOException.class)),
                new IOException("no such mailbox\nat line 2"));
        world.held("ops", "drop_table", Map.of("table", "old"));
        world.givenUp("stripe", "evt_1", "no such customer");
        browser.open(world.url());
        find(id("token"));
        String axe;
        try (InputStream script = Objects.requireNonNull(getClass().getResourceAsStream("/axe.min.js"))) {
            axe = new String(script.readAllBytes(), StandardCharsets.UTF_8);
        }
        browser.driver().executeScript(axe);
        everywhere("sign-in");
        signIn("ann");
        browser.driver().executeScript(axe);
        for (String page : PAGES) {
            String address = page.equals("entry")
                    ? "entry?scope=order-1&operation=charge&key=req-cus_1"
                    : page.equals("scope") ? "scope?scope=order-1" : page;
            go(address);
            until("document.querySelector('h1')?.innerText.length > 0 && !document.querySelector('.loading')");
            if (page.isEmpty() || page.equals("entry")) {
                click(id("ending-not_executed"));
            } else if (page.equals("search")) {
                click(id("bulk"));
                until("document.querySelector('[data-testid=bulk-item]')");
                type(id("search"), "st");
                until("document.querySelector('[data-testid=suggestion]')");
            }
            everywhere(page);
        }
        press("?");
        until("document.querySelector('dialog[open]')");
        everywhere("help");
    }

    private void everywhere(String page) {
        for (boolean phone : new boolean[] {false, true}) {
            browser.resize(phone ? 390 : 1280, 844, phone);
            for (boolean dark : new boolean[] {false, true}) {
                browser.darken(dark);
                // Light and dark differ in their colours alone.
                assertThat(browser.run("""
                                const found = await axe.run(document, {resultTypes: ['violations'],
                                  ...(arguments[0] && {runOnly: ['color-contrast']})});
                                return found.violations.filter(each => ['serious', 'critical'].includes(each.impact))
                                  .flatMap(each => each.nodes.map(node => each.id + ' ' + node.html.slice(0, 200) + ' '
                                    + node.failureSummary.slice(0, 300)));""", dark))
                        .as(page + (phone ? " on a phone" : "") + (dark ? " in the dark" : ""))
                        .isEqualTo(List.of());
                assertThat(browser.run("return document.documentElement.scrollWidth <= innerWidth"))
                        .isEqualTo(true);
            }
        }
        browser.resize(1280, 900, false);
        browser.darken(false);
    }
}
