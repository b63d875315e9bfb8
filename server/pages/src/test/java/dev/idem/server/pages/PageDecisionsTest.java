package dev.idem.server.pages;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idem.Address;
import dev.idem.Entry;
import dev.idem.Policy;
import dev.idem.State;
import dev.idem.agent.approval.Approvals;
import dev.idem.agent.approval.Decision;
import dev.idem.lab.Proxy;
import dev.idem.spi.Result;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.openqa.selenium.Keys;

/** What a person decides at the page, and what the ledger has of it. */
final class PageDecisionsTest extends PageCase {
    private static final String OTHER_WAS_FASTER = "Somebody was faster: bob recorded";
    /** Keeps what the page would try again for the test to begin. The time limits of requests, 15 seconds and more, go on. */
    private static final String HOLDS = """
            window.wait = window.setTimeout;
            window.held = [];
            window.setTimeout = (f, ms) => ms >= 1000 && ms < 15000 ? -held.push(f) : wait(f, ms)""";

    @Test
    void aDoubtIsResolvedWithAReasonAndAResult() throws Exception {
        Entry doubt = world.doubt("order-7", "cus_1");
        signIn("ann");
        untilShown("Charge for cus_1, 42.00 USD");
        until("document.querySelector('[data-testid=badge]').innerText === '1'");

        click(id("ending-complete"));
        click(id("record"));
        untilShown("Say how you found out");
        type(id("why"), "seen at the bank");
        type(id("result"), "{\"id\": 12345678901234567890}");
        click(id("record"));
        untilShown("sent in 10 s");
        seconds(9);
        untilShown("sent in 1 s");
        assertThat(world.find(doubt.address())).isEqualTo(doubt);
        seconds(1);
        untilShown("by ann: It happened");
        assertThat(text(id("notice")))
                .containsPattern(
                        "Recorded at \\d\\d:\\d\\d:\\d\\d by ann: It happened\\R.*Charge for cus_1, 42.00 USD");

        Entry resolved = world.find(doubt.address());
        assertThat(resolved.state()).isEqualTo(State.COMPLETE);
        assertThat(resolved.note()).startsWith("resolved by ann: seen at the bank (request ");
        assertThat(resolved.result()).isInstanceOf(Result.Stored.class);
        assertThat(world.as("bob", "result", "{'scope':'order-7','operation':'charge','key':'req-cus_1'}"))
                .contains("12345678901234567890");
        untilShown("Nothing needs you");
        click(id("dismiss"));
        until("!document.querySelector('[data-testid=notice]')");
    }

    /** People looked for what they had decided a minute ago, and it had vanished. */
    @Test
    @Tag("proof")
    void whatWasRecordedStaysToBeRead() throws Exception {
        for (int i = 1; i <= 4; i++) {
            world.doubt("order-" + i, "cus_" + i);
        }
        signIn("ann");
        for (int i = 1; i <= 4; i++) {
            openItem("cus_" + i);
            decide("complete", "seen");
            untilShown("sent in 10 s");
            seconds(10);
            untilGone("sent in");
            untilGone("sending");
        }
        go("numbers");
        assertThat(count(id("notice"))).isEqualTo(3);
        assertThat(text())
                .containsPattern("Recorded at .* by ann: It happened\\R.*cus_4")
                .doesNotContain("cus_1");
    }

    @Test
    @Tag("proof")
    void whatIsUndoneIsNeverSent() throws Exception {
        Entry doubt = world.doubt("order-7", "cus_1");
        signIn("ann");
        decide("not_executed", "the bank says so");
        untilShown("sent in 10 s");
        seconds(9);
        click(id("undo"));
        until("!document.querySelector('[data-testid=notice]')");
        seconds(20);

        assertThat(world.find(doubt.address())).isEqualTo(doubt);
        click(id("ending-complete"));
        click(id("record"));
        untilShown("sent in 10 s");
        seconds(10);
        untilShown("by ann: It happened");
        assertThat(world.find(doubt.address()).state()).isEqualTo(State.COMPLETE);
        assertThat(decisions(doubt.address())).hasSize(1);
    }

    @Test
    void aRaceIsLostToTheFirst() throws Exception {
        Entry doubt = world.doubt("order-7", "cus_1");
        signIn("ann");
        decide("complete", "it is there");
        untilShown("sent in 10 s");
        assertThat(world.resolvedBy("bob", doubt, "not_executed", "the bank says no"))
                .contains("\"done\"");
        seconds(10);
        untilShown(OTHER_WAS_FASTER);
        untilShown("the bank says no");
        assertThat(text()).doesNotContain("Recorded at");

        Entry resolved = world.find(doubt.address());
        assertThat(resolved.state()).isEqualTo(State.FAILED);
        assertThat(resolved.note()).startsWith("resolved by bob: the bank says no");
        assertThat(decisions(doubt.address())).hasSize(1);
    }

    /** The server has recorded it, and the page does not know: it sends the same again, and is told so. */
    @Test
    void aLostAnswerMakesNoSecondDecision() throws Exception {
        Entry doubt = world.doubt("order-7", "cus_1");
        try (Proxy proxy = signInBehind("ann")) {
            decide("complete", "it is there");
            untilShown("sent in 10 s");
            proxy.swallow(true);
            seconds(10);
            untilShown("sending");
            dev.idem.testkit.Until.isTrue(
                    "it is recorded", () -> world.find(doubt.address()).state() == State.COMPLETE);
            Entry recorded = world.find(doubt.address());
            proxy.swallow(false);
            untilShown("by ann: It happened");
            assertThat(world.find(doubt.address())).isEqualTo(recorded);
            assertThat(decisions(doubt.address())).hasSize(1);
        }
    }

    /** The request to send an event again has no id. Its repeat finds nothing, and must not blame somebody else. */
    @Test
    @Tag("proof")
    void aLostAnswerAboutAnEventIsNotBlamedOnSomebodyElse() throws Exception {
        world.givenUp("stripe", "evt_1", "no such customer");
        try (Proxy proxy = signInBehind("ann")) {
            click(id("ending-again"));
            click(id("record"));
            untilShown("sent in 10 s");
            proxy.swallow(true);
            seconds(10);
            untilShown("sending");
            dev.idem.testkit.Until.isTrue(
                    "it is sent", () -> !world.as("bob", "poison.list", "{}").contains("evt_1"));
            proxy.swallow(false);
            untilShown("It was sent again already: by an earlier try of this page whose answer was lost");
            assertThat(text()).doesNotContain("Not recorded");
        }
    }

    @Test
    @Tag("proof")
    void anAttemptThatMayStillActIsAskedAboutTwice() throws Exception {
        Address at = new Address("order-7", "charge", "slow");
        world.doubtThatMayAct(
                world.idem.operation("charge").scope("order-7").key("slow").policy(Policy.write()), at);
        signIn("ann");
        decide("not_executed", "not at the bank");
        untilShown("may still act until");
        assertThat(count(id("notice"))).isZero();
        click(id("not-yet"));
        until("!document.querySelector('[data-testid=sure]')");
        click(id("record"));
        click(id("even-so"));
        untilShown("sent in 10 s");
        seconds(10);
        untilShown("by ann: It did not happen");
        assertThat(world.find(at).state()).isEqualTo(State.FAILED);
    }

    @Test
    void callsAreApprovedAndDenied() throws Exception {
        String drop = world.held("ops", "drop_table", Map.of("table", "old_orders"));
        String pay = world.held("ops", "pay", Map.of("cents", 4200));
        world.givenUp("stripe", "evt_1", "no such customer");
        signIn("ann");
        untilShown("drop_table(table: \"old_orders\")");
        until("document.querySelectorAll('.item.approval').length === 2");
        openItem("drop_table");
        click(id("ending-approve"));
        click(id("record"));
        openItem("pay(");
        click(id("ending-deny"));
        click(id("record"));
        untilShown("Say why: the agent hears it");
        type(id("why"), "too much");
        click(id("record"));
        openItem("evt_1");
        click(id("ending-again"));
        click(id("record"));
        until("document.querySelectorAll('[data-testid=notice]').length === 3");
        Approvals approvals = Approvals.on(world.idem);
        assertThat(approvals.decision(drop)).isEmpty();
        assertThat(approvals.decision(pay)).isEmpty();
        seconds(10);
        untilShown("by ann: Approve");
        untilShown("by ann: Deny");
        untilShown("by ann: Send it again");

        Decision approved = approvals.decision(drop).orElseThrow();
        assertThat(approved.approved()).isTrue();
        assertThat(approved.by()).isEqualTo("ann");
        Decision denied = approvals.decision(pay).orElseThrow();
        assertThat(denied.approved()).isFalse();
        assertThat(denied.why()).isEqualTo("too much");
        assertThat(world.as("bob", "poison.list", "{}")).doesNotContain("evt_1");
    }

    /** Both deny, with different reasons: one reason stands, and the other person is told so. */
    @Test
    @Tag("proof")
    void theSameDecisionOfSomebodyElseIsNotShownAsOnesOwn() throws Exception {
        String pay = world.held("ops", "pay", Map.of("cents", 4200));
        signIn("ann");
        click(id("ending-deny"));
        type(id("why"), "too much");
        click(id("record"));
        untilShown("sent in 10 s");
        Approvals.on(world.idem).deny(pay, "bob", "not now");
        seconds(10);
        untilShown("Somebody was faster: bob denied it");
        assertThat(text()).doesNotContain("Recorded at");
    }

    @Test
    void manyAreSettledAsTheyWereShown() throws Exception {
        Entry one = world.doubt("order-1", "cus_1");
        Entry two = world.doubt("order-2", "cus_2");
        Entry raced = world.doubt("order-3", "cus_3");
        signIn("ann");
        go("search?state=in_doubt");
        until("document.querySelectorAll('[data-testid=hit]').length === 3");
        click(id("bulk"));
        until("document.querySelectorAll('[data-testid=bulk-item]').length === 3");
        assertThat(world.find(one.address())).isEqualTo(one);

        Entry late = world.doubt("order-4", "cus_4");
        click(id("bulk-not"));
        type(id("bulk-why"), "the bank was down");
        click(id("bulk-record"));
        untilShown("sent in 10 s");
        world.resolvedBy("bob", raced, "complete", "I saw it");
        seconds(10);
        untilShown("2 of 3 entries recorded");
        // The notice that stays where the panel is closed must not say more.
        assertThat(text(id("notice"))).contains("2 of 3").doesNotContain("Recorded at");

        for (Entry each : List.of(one, two)) {
            Entry now = world.find(each.address());
            assertThat(now.state()).isEqualTo(State.FAILED);
            assertThat(now.note()).startsWith("resolved by ann: the bank was down");
        }
        assertThat(world.find(raced.address()).note()).startsWith("resolved by bob: I saw it");
        assertThat(world.find(late.address())).isEqualTo(late);
        assertThat(count(id("bulk-item"))).isEqualTo(3);
        untilShown(OTHER_WAS_FASTER);
    }

    /** The queue must not offer it again, also where it does not move under the eyes of somebody who reads. */
    @Test
    @Tag("proof")
    void whatWasDecidedIsNotOfferedAgain() throws Exception {
        world.doubt("order-7", "cus_1");
        world.doubt("order-8", "cus_2");
        signIn("ann");
        decide("complete", "it is there");
        untilShown("sent in 10 s");
        // Somebody types the reason of the next one.
        click(id("ending-complete"));
        type(id("why"), "this one");
        seconds(10);
        untilShown("by ann: It happened");
        click(id("dismiss"));
        until("!document.querySelector('[data-testid=notice]')");
        assertThat(count(id("item"))).isEqualTo(1);
        assertThat(browser.run("return document.querySelector('[data-testid=why]').value"))
                .isEqualTo("this one");
    }

    /** What ann has decided is not sent in the name of the next person at this browser. */
    @Test
    @Tag("proof")
    void aDecisionThatWaitsIsDroppedAtTheSignOut() throws Exception {
        Entry doubt = world.doubt("order-7", "cus_1");
        signIn("ann");
        decide("complete", "it is there");
        untilShown("sent in 10 s");
        click(id("sign-out"));
        assertThat(browser.driver().switchTo().alert().getText()).contains("A decision was not sent yet");
        browser.driver().switchTo().alert().accept();
        find(id("token"));
        signInHere("bob");
        untilShown("Charge for cus_1");
        seconds(20);
        assertThat(count(id("notice"))).isZero();
        assertThat(world.find(doubt.address())).isEqualTo(doubt);
    }

    /** A decision whose answer is on its way may be recorded already. Without a question its person would not hear of it. */
    @Test
    @Tag("proof")
    void leavingAsksWhileADecisionIsSent() throws Exception {
        world.doubt("order-7", "cus_1");
        try (Proxy proxy = signInBehind("ann")) {
            String closes =
                    "const e = new Event('beforeunload', {cancelable: true}); window.dispatchEvent(e); return e.defaultPrevented";
            assertThat(browser.run(closes)).isEqualTo(false);
            decide("complete", "it is there");
            untilShown("sent in 10 s");
            assertThat(browser.run(closes)).isEqualTo(true);
            proxy.swallow(true);
            seconds(10);
            untilShown("sending");
            assertThat(browser.run(closes)).isEqualTo(true);
            click(id("sign-out"));
            assertThat(browser.driver().switchTo().alert().getText())
                    .contains("A decision is being sent, and may be recorded already");
            browser.driver().switchTo().alert().dismiss();
            proxy.swallow(false);
            untilShown("by ann: It happened");
            assertThat(browser.run(closes)).isEqualTo(false);
        }
    }

    /** It could not be sent yet, and is not tried again in the name of the next person at this browser. */
    @Test
    void whatWasBeingSentIsDroppedAtTheSignOut() throws Exception {
        Entry doubt = world.doubt("order-7", "cus_1");
        try (Proxy proxy = signInBehind("ann")) {
            browser.run(HOLDS);
            decide("complete", "it is there");
            untilShown("sent in 10 s");
            proxy.turnTo(1);
            seconds(10);
            until("held.length > 0 && document.body.innerText.includes('sending')");
            click(id("sign-out"));
            browser.driver().switchTo().alert().accept();
            find(id("token"));
            browser.run("window.setTimeout = wait");
            proxy.turnTo(world.carrier.port());
            signInHere("bob");
            browser.run("held.forEach(each => each())");
            untilShown("Charge for cus_1");
            go("numbers");
            assertThat(count(id("notice"))).isZero();
            assertThat(world.find(doubt.address())).isEqualTo(doubt);
        }
    }

    /** The cookie belongs to all tabs, and another tab has signed in as somebody else. */
    @Test
    @Tag("proof")
    void aDecisionNamesWhoMadeItAndWhoseSessionSentIt() throws Exception {
        Entry doubt = world.doubt("order-7", "cus_1");
        signIn("ann");
        decide("complete", "it is there");
        untilShown("sent in 10 s");
        browser.run(
                "localStorage.setItem('idem-console-second', (await (await fetch('console/sign-in', {method: 'POST',"
                        + " headers: {'Content-Type': 'application/json'}, body: JSON.stringify({token: arguments[0]})})).json()).second)",
                world.token("bob", dev.idem.server.Access.ALL));
        seconds(10);
        untilShown("by ann: It happened");
        assertThat(world.find(doubt.address()).note()).startsWith("resolved by ann (bob): it is there");
    }

    @Test
    @Tag("proof")
    void theKeyboardIsEnough() throws Exception {
        Entry first = world.doubt("order-7", "cus_1");
        Entry second = world.doubt("order-8", "cus_2");
        world.doubt("order-9", "cus_3");
        signIn("ann");
        untilShown("Charge for cus_3");
        press("1");
        until("document.activeElement.id === 'field-why'");
        press("seen at the bank");
        press(Keys.chord(Keys.CONTROL, Keys.ENTER));
        untilShown("sent in 10 s");
        until("document.querySelector('.item.open').innerText.includes('cus_2')");
        untilKeysWork();
        press("2");
        until("document.activeElement.id === 'field-why'");
        press("123", Keys.ENTER);
        until("document.querySelectorAll('[data-testid=notice]').length === 2");
        press("u");
        until("document.querySelectorAll('[data-testid=notice]').length === 1");
        press("3");
        until("document.querySelector('.item.open').innerText.includes('cus_3')");
        press("k");
        until("document.querySelector('.item.open').innerText.includes('cus_2')");
        press("j");
        until("document.querySelector('.item.open').innerText.includes('cus_3')");
        press(Keys.ENTER);
        until("location.hash.startsWith('#/entry?') && document.querySelector('[data-testid=timeline]')");
        seconds(10);
        untilShown("by ann: It happened");
        press("/");
        until("document.activeElement.id === 'search-field'");
        press("state:fai");
        until("document.querySelectorAll('[data-testid=suggestion]').length === 1");
        press(Keys.ARROW_DOWN, Keys.ENTER);
        until("location.hash === '#/search?state=failed'");
        press(Keys.ESCAPE);
        assertThat(text(id("keys"))).contains("Keys", "?");
        press("?");
        until("document.querySelector('dialog[open]')");
        assertThat(text("dialog")).contains("j / k", "Ctrl Enter", "leave it for now", "remove the last chip");
        press(Keys.ESCAPE);
        until("!document.querySelector('dialog[open]')");

        assertThat(world.find(first.address()).note()).startsWith("resolved by ann: seen at the bank");
        assertThat(world.find(second.address())).isEqualTo(second);
    }

    /** A key that is pressed twice by mistake must not reach the next item, which has just opened by itself. */
    @Test
    void aDoublePressDoesNotReachTheNextItem() throws Exception {
        world.doubt("order-7", "cus_1");
        world.doubt("order-8", "cus_2");
        world.doubt("order-9", "cus_3");
        signIn("ann");
        untilShown("Charge for cus_3");
        browser.run("for (let i = 0; i < 2; i++) {"
                + " document.body.dispatchEvent(new KeyboardEvent('keydown', {key: '3', bubbles: true})); }");
        until("document.querySelectorAll('.left-alone').length > 0");
        assertThat(count(".left-alone")).isEqualTo(1);
        until("document.querySelector('.item.open').innerText.includes('cus_2')");

        untilKeysWork();
        press("3");
        until("document.querySelector('.item.open').innerText.includes('cus_3')");
        // A key that is held down is one press.
        untilKeysWork();
        browser.run(
                "document.body.dispatchEvent(new KeyboardEvent('keydown', {key: '3', bubbles: true, repeat: true}))");
        until("document.querySelector('.item.open').innerText.includes('cus_3')");
        assertThat(count(".left-alone")).isEqualTo(2);
    }

    /** Somebody else settles the open item, and the next one opens under the hands of this person. */
    @Test
    @Tag("proof")
    void aKeyDoesNotReachAnItemThatTookThePlaceOfAnother() throws Exception {
        Entry first = world.doubt("order-7", "cus_1");
        world.doubt("order-8", "cus_2");
        signIn("ann");
        untilShown("Charge for cus_2");
        browser.run("new MutationObserver(() => document.querySelector('.item.open')?.innerText.includes('cus_2') &&"
                + " document.body.dispatchEvent(new KeyboardEvent('keydown', {key: '3', bubbles: true})))"
                + ".observe(document.querySelector('#app'), {childList: true, subtree: true, attributes: true})");
        world.resolvedBy("bob", first, "complete", "I saw it");
        until("document.querySelector('.item.open')?.innerText.includes('cus_2')");
        assertThat(count(".left-alone")).isZero();
    }

    /** The page takes no digits for a moment after an item has opened by itself. */
    private void untilKeysWork() {
        until("!document.querySelector('.resting')");
    }

    /** A page that was left asks for nothing that it does not show. */
    @Test
    @Tag("proof")
    void aDecisionGoesOnWhereItsPageWasLeft() throws Exception {
        Entry doubt = world.doubt("order-7", "cus_1");
        signIn("ann");
        go("entry?scope=order-7&operation=charge&key=req-cus_1");
        decide("complete", "it is there");
        untilShown("sent in 10 s");
        go("numbers");
        seconds(10);
        untilShown("by ann: It happened");
        assertThat(world.find(doubt.address()).state()).isEqualTo(State.COMPLETE);
    }

    private void decide(String ending, String why) {
        click(id("ending-" + ending));
        type(id("why"), why);
        click(id("record"));
    }

    private void openItem(String text) {
        until("[...document.querySelectorAll('.item-head')].some(each => each.innerText.includes(arguments[0]))", text);
        browser.run(
                "const head = [...document.querySelectorAll('.item-head')].find(each => each.innerText.includes(arguments[0]));"
                        + "if (head.getAttribute('aria-expanded') === 'false') head.click()",
                text);
        until("document.querySelector('.item.open')?.innerText.includes(arguments[0])", text);
    }

    private List<String> decisions(Address address) {
        return world.trail(address).stream()
                .filter(each -> each.event().equals("resolved"))
                .map(each -> each.detail())
                .toList();
    }
}
