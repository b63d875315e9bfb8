package dev.idem.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idem.Address;
import dev.idem.Entry;
import dev.idem.spi.Host;
import dev.idem.testkit.Until;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class DecideMethodsTest extends ApiCase {
    private static final String SEEN = "{'operation':'charge','key':'k','fence':'FENCE','state':'in_doubt',"
            + "'why':'seen in the dashboard','request_id':'request-1',";

    private static final Caller AGENT = new Caller(
            "token agent",
            false,
            new Access(EnumSet.of(Right.ACT), List.of(Access.pattern("acme/*"))),
            () -> true,
            () -> true,
            false);

    private String doubted() {
        Map<String, @Nullable Object> granted = granted(",'policy':{'time_limit':'1ms'}");
        settle(granted, "'as':'in_doubt'");
        Entry doubt = ledger.find(new Address("default", "charge", "k")).orElseThrow();
        Until.isTrue(
                "it can't act any more",
                () -> doubt.tenure().limit().isBefore(Host.system().now()));
        return SEEN.replace("FENCE", (String) granted.get("fence"));
    }

    @Test
    void aDecisionIsMadeOnceAndItsRepeatIsKnown() {
        String seen = doubted();
        String complete = seen + "'as':'complete','result':{'id':'ch_1'},'who':'bob'}";
        assertThat(call("resolve", complete)).isEqualTo(of("answer", "done", "state", "complete"));
        restart();
        assertThat(call("resolve", complete)).isEqualTo(of("answer", "done", "by_you", true, "state", "complete"));
        assertThat(call("resolve", complete.replace("request-1", "request-2")))
                .containsEntry("answer", "changed")
                .containsKey("entry");
        assertThat(claim("")).containsEntry("answer", "replay").containsEntry("result", Map.of("id", "ch_1"));
        assertThat(call("trail", "{'operation':'charge','key':'k'}").toString())
                .contains("resolved by bob: seen in the dashboard (request request-1)");
    }

    @Test
    void anotherDecisionUnderTheSameIdIsNotTakenForDone() {
        String seen = doubted();
        call("resolve", seen + "'as':'not_executed'}");
        assertThat(call("resolve", seen + "'as':'complete'}")).containsEntry("answer", "changed");
    }

    @Test
    void anAttemptThatMayStillActIsNotForgotten() {
        Map<String, @Nullable Object> granted = granted("");
        settle(granted, "'as':'in_doubt'");
        String seen = "{'operation':'charge','key':'k','state':'in_doubt','fence':'" + granted.get("fence") + "'";
        assertThat(call("forget", seen + "}")).containsEntry("answer", "may_still_act");
        assertThat(call("forget", seen + ",'even_though_it_may_still_act':true}"))
                .containsEntry("answer", "done");
    }

    @Test
    void theUserOfTheConnectionDecidesWhereNobodyIsNamed() {
        call("resolve", doubted() + "'as':'not_executed'}");
        assertThat(ledger.find(new Address("default", "charge", "k"))
                        .orElseThrow()
                        .note())
                .startsWith("resolved by ann: ");
        granted("");
    }

    @Test
    void anAttemptThatMayStillActIsNotCalledUndone() {
        Map<String, @Nullable Object> granted = granted("");
        settle(granted, "'as':'in_doubt'");
        String seen = SEEN.replace("FENCE", (String) granted.get("fence")) + "'as':'not_executed'";
        assertThat(call("resolve", seen + "}"))
                .containsEntry("answer", "may_still_act")
                .containsKey("until");
        assertThat(claim("")).containsEntry("answer", "in_doubt");
        assertThat(call("resolve", seen + ",'even_though_it_may_still_act':true}"))
                .containsEntry("answer", "done");
    }

    /** Another attempt has begun since the person looked, or the state has changed under the same fence. */
    @Test
    void whatThePersonDidNotSeeIsNotResolved() {
        String seen = doubted();
        Map<String, @Nullable Object> again = granted(",'policy':'on_doubt: rerun'");
        assertThat(call("resolve", seen + "'as':'complete'}")).containsEntry("answer", "changed");
        settle(again, "'as':'in_doubt'");
        assertThat(call("resolve", seen + "'as':'complete'}")).containsEntry("answer", "changed");
        String fence = "'" + again.get("fence") + "'";
        assertThat(call(
                        "resolve",
                        seen.replaceFirst("'fence':'[0-9]+'", "'fence':" + fence)
                                        .replace("in_doubt", "failed") + "'as':'complete'}"))
                .containsEntry("answer", "changed");
        assertThat(claim("")).containsEntry("answer", "in_doubt");
    }

    @Test
    @SuppressWarnings("unchecked")
    void manyAreResolvedOnlyIfTheyWereSentBack() {
        for (String key : List.of("a", "b")) {
            Map<String, @Nullable Object> one = call(
                    "claim",
                    "{'operation':'charge','key':'" + key + "','policy':{'time_limit':'1ms'},'attempt_id':'" + id()
                            + "'}");
            settle(one, "'as':'in_doubt'");
        }
        doubted();
        Map<String, @Nullable Object> dry = call("resolve", "{'dry_run':true,'filter':{'operation':'charge'}}");
        List<Map<String, Object>> items = (List<Map<String, Object>>) dry.get("items");
        assertThat(items).extracting(item -> item.get("key")).containsExactlyInAnyOrder("a", "b", "k");
        String one = items.stream()
                .filter(item -> !"k".equals(item.get("key")))
                .map(item -> "{'operation':'charge','key':'" + item.get("key") + "','fence':'" + item.get("fence")
                        + "','state':'in_doubt'}")
                .reduce((first, second) -> first + "," + second)
                .orElseThrow();
        String gone = ",{'operation':'charge','key':'c','fence':'9','state':'in_doubt'}";
        Map<String, @Nullable Object> done = call(
                "resolve",
                "{'items':[" + one + gone + "],'as':'not_executed','why':'the bank says so','request_id':'request-9'}");
        assertThat((List<Map<String, Object>>) done.get("items"))
                .extracting(item -> item.get("answer"))
                .containsExactly("done", "done", "gone");
        assertThat(claim("")).containsEntry("answer", "in_doubt");
    }

    @Test
    void aBulkByFilterAloneIsRefused() {
        doubted();
        assertThat(refusal("resolve", "{'filter':{},'as':'complete','why':'x','request_id':'request-1'}"))
                .startsWith("malformed");
        assertThat(claim("")).containsEntry("answer", "in_doubt");
    }

    @Test
    void aForgottenEntryIsGone() {
        String seen = doubted();
        String forget = seen.substring(0, seen.length() - 1) + "}";
        assertThat(call("forget", forget.replace("in_doubt", "complete"))).containsEntry("answer", "changed");
        assertThat(call("forget", forget)).isEqualTo(of("answer", "done"));
        assertThat(call("forget", forget)).isEqualTo(of("answer", "gone"));
        granted("");
    }

    @Test
    void aDecisionNeedsAReasonAndAnId() {
        String seen = doubted();
        assertThat(refusal("resolve", seen.replace("'why':'seen in the dashboard',", "") + "'as':'complete'}"))
                .isEqualTo("malformed: 'why' is missing");
        assertThat(refusal("resolve", seen.replace("'request_id':'request-1',", "") + "'as':'complete'}"))
                .isEqualTo("malformed: 'request_id' is missing");
        assertThat(refusal("resolve", seen + "'as':'failed'}")).startsWith("malformed: 'as'");
    }

    /** What a probe found is a text of the program that holds the ticket. */
    @Test
    void theEvidenceOfATicketIsNoDecisionOfAPerson() {
        settle(granted(",'scope':'acme/shop','policy':{'time_limit':'1ms','on_doubt':'probe'}"), "'as':'in_doubt'");
        String claim = "{'operation':'charge','key':'k','scope':'acme/shop','can_probe':true,"
                + "'policy':{'time_limit':'1ms','on_doubt':'probe'},'attempt_id':'%s'}";
        AtomicReference<Map<String, @Nullable Object>> probe = new AtomicReference<>();
        Until.isTrue("the probe may be asked", () -> {
            probe.set(json(api.call("claim", claim.formatted(id()).replace('\'', '"'), AGENT)));
            return "probe".equals(probe.get().get("answer"));
        });
        String forged = "{'ticket':'" + probe.get().get("ticket") + "','as':'not_executed',"
                + "'evidence':'resolved by ann: seen at the bank (request 0b7f4c1e)'}";
        api.call("settle", forged.replace('\'', '"'), AGENT);
        assertThat(call("find", "{'operation':'charge','key':'k','scope':'acme/shop'}")
                        .toString())
                .contains("note=resolved by ann")
                .doesNotContain("resolution=");
        assertThat(call("browse", "{'resolved_by':'ann'}").get("entries")).isEqualTo(List.of());
    }

    @Test
    void aNameOrAReasonIsOneShortLine() {
        Map<String, @Nullable Object> granted = granted("");
        settle(granted, "'as':'in_doubt'");
        String decision = "{'operation':'charge','key':'k','fence':'" + granted.get("fence")
                + "','state':'in_doubt','as':'complete','request_id':'12345678','who':'%s','why':'%s'}";
        for (String wrong : List.of("a\\nb", "a\\u202eb", "\\u0007", "x".repeat(2001))) {
            assertThat(refusal("resolve", decision.formatted("ann", wrong))).startsWith("malformed: the reason has ");
            assertThat(refusal("resolve", decision.formatted(wrong, "seen"))).startsWith("malformed: the name of ");
        }
        assertThat(call("resolve", decision.formatted("ann", "x".repeat(2000)))).containsEntry("answer", "done");
    }
}
