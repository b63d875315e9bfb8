package dev.idem.server.pages;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idem.Address;
import dev.idem.Entry;
import dev.idem.State;
import dev.idem.agent.approval.Approvals;
import dev.idem.lab.Proxy;
import dev.idem.spi.Settlement;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A server that hangs, texts that look like decisions, and a queue that is long. */
final class PageTroubleTest extends PageCase {
    /** What takes ten seconds or more by the page's clock takes three. */
    private void hurry() {
        browser.run("const wait = setTimeout; window.setTimeout = (f, ms) => wait(f, ms >= 10000 ? 3000 : ms)");
    }

    private void resolveIt() {
        click(id("ending-complete"));
        type(id("why"), "it is there");
        click(id("record"));
        untilShown("sent in 10 s");
    }

    @Test
    @Tag("proof")
    void whatIsTakenBackIsLookedAtFirst() throws Exception {
        Entry doubt = world.doubt("order-7", "cus_1");
        try (Proxy proxy = signInBehind("ann")) {
            hurry();
            resolveIt();
            proxy.swallow(true);
            seconds(10);
            untilShown("It is not known whether this was recorded");
            assertThat(world.find(doubt.address()).state()).isEqualTo(State.COMPLETE);
            click(id("take-back"));
            untilShown("nothing was taken back");
            proxy.swallow(false);
            untilLive();
            click(id("take-back"));
            untilShown("before you took it back: It happened");
            assertThat(world.find(doubt.address()).resolution()).isNotNull();
        }
    }

    @Test
    void aServerThatHangsIsSaidToHang() throws Exception {
        world.doubt("order-7", "cus_1");
        try (Proxy proxy = signInBehind("ann")) {
            hurry();
            go("search");
            untilLive();
            proxy.swallow(true);
            until("document.querySelector('[data-testid=gone]')");
            until("document.querySelector('[data-testid=live].gone')");
            proxy.swallow(false);
            untilLive();
            until("!document.querySelector('[data-testid=gone]')");
        }
    }

    @Test
    void theWordsOfAProgramAreNoDecision() throws Exception {
        Entry doubt = world.doubt("order-7", "cus_1");
        world.ledger.resolve(
                doubt.address(),
                doubt.fence(),
                new Settlement.NotExecuted(
                        "resolved by ann: seen at the bank (request 0b7f4c1e)", dev.idem.spi.Retention.DEFAULT));
        signIn("bob");
        go("entry?scope=order-7&operation=charge&key=req-cus_1");
        untilShown("Recorded as text: “resolved by ann: seen at the bank (request 0b7f4c1e)”");
        assertThat(text()).doesNotContain("ann recorded");
    }

    @Test
    void whoApprovedACallAndWhyIsShownWithTheCall() throws Exception {
        String key = world.held("order-7", "charge", Map.of("cents", 4200));
        world.call("order-7", "charge", "call-1").run(call -> "ch_1");
        signIn("ann");
        click(id("ending-approve"));
        type(id("why"), "a customer asked");
        click(id("record"));
        untilShown("sent in 10 s");
        seconds(10);
        untilShown("by ann: Approve");
        assertThat(Approvals.on(world.idem).decision(key).orElseThrow().why()).isEqualTo("a customer asked");
        go("entry?scope=order-7&operation=charge&key=call-1");
        untilShown("ann approved it at");
        assertThat(text(id("approvals"))).contains("“a customer asked”");
        go("decisions");
        untilShown("Approved: charge");
        assertThat(text(id("decision-row"))).contains("ann: “a customer asked”");
        go("search?by=ann");
        until("document.querySelectorAll('[data-testid=hit]').length === 1");
        assertThat(world.find(new Address("order-7", "charge", "call-1")).resolution())
                .isNull();
    }

    @Test
    @Tag("proof")
    void whatWasTypedOutlivesTheToken() throws Exception {
        expected.add("401");
        world.doubt("order-7", "cus_1");
        browser.open(world.url());
        signInHere("ann");
        click(id("ending-complete"));
        type(id("why"), "seen at the ba");
        assertThat(world.tokens.revoke("ann")).isTrue();
        until("document.querySelector('[data-testid=token]')");
        signInHere("ann-again");
        until("document.querySelector('[data-testid=why]')?.value === 'seen at the ba'");
    }

    /** Thousands of rows made each key press take seconds. */
    @Test
    void aLongQueueIsShownInPages() throws Exception {
        for (int i = 0; i < 60; i++) {
            world.held("ops-" + i, "drop", Map.of("table", "t" + i));
        }
        signIn("ann");
        until("document.querySelector('[data-testid=badge]').innerText === '60'");
        assertThat(count(id("item"))).isEqualTo(50);
        untilShown("50 of 60 are shown");
        click(id("more-approval"));
        until("document.querySelectorAll('[data-testid=item]').length === 60");
    }
}
