package dev.idem.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.idem.Address;
import dev.idem.Idem;
import dev.idem.Key;
import dev.idem.LedgerUnavailableException;
import dev.idem.seal.SealKeys;
import dev.idem.seal.SealedLedger;
import dev.idem.spi.Claim;
import dev.idem.spi.ClaimRequest;
import dev.idem.spi.ForwardingLedger;
import dev.idem.spi.Host;
import dev.idem.spi.Ledger;
import dev.idem.spi.Ledgers;
import dev.idem.spi.ProcessRef;
import dev.idem.testkit.Until;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ClaimMethodTest extends ApiCase {
    private static final Address ADDRESS = new Address("default", "charge", "k");

    @Test
    void aCallIsGrantedOnceAndThenReplayed() {
        Map<String, @Nullable Object> granted = granted("");
        assertThat(granted)
                .containsEntry("key", "k")
                .containsEntry("attempt", 1L)
                .containsEntry("lease_ms", 30_000L)
                .containsEntry("time_limit_ms", 300_000L)
                .containsKeys("ticket", "fence", "policy");
        assertThat(claim("")).containsEntry("answer", "in_flight").containsEntry("fence", granted.get("fence"));
        assertThat(settle(granted, "'as':'complete','result':{'id':'ch_1'}"))
                .containsEntry("answer", "recorded")
                .containsEntry("state", "complete");
        assertThat(claim(""))
                .containsEntry("answer", "replay")
                .containsEntry("result", Map.of("id", "ch_1"))
                .containsKey("ran_at");
    }

    @Test
    void aBlankScopeIsRefused() {
        for (String blank : List.of("", " ", "\u2003")) {
            assertThat(refusal("claim", claimOf(id(), ",'scope':'" + blank + "'")))
                    .startsWith("malformed: ")
                    .contains("scope");
        }
        assertThat(call("stats", "{}").toString()).contains("in_progress=0");
    }

    @Test
    void aResultIsGivenDigitForDigit() {
        Map<String, @Nullable Object> granted = granted("");
        String result = "{\"a\":9007199254740993,\"b\":1.10,\"c\":1E400,\"d\":\"\\u00e9\", \"e\" : [ ]}";
        api.call(
                "settle",
                "{\"ticket\":\"" + granted.get("ticket") + "\",\"as\":\"complete\",\"result\":" + result + "}",
                CALLER);
        String claim = "{\"operation\":\"charge\",\"key\":\"k\",\"attempt_id\":\"" + id() + "\"}";
        assertThat(api.call("claim", claim, CALLER)).endsWith(",\"result\":" + result + "}");
        assertThat(api.call("result", "{\"operation\":\"charge\",\"key\":\"k\"}", CALLER))
                .endsWith(",\"result\":" + result + "}");
    }

    @Test
    void aResultOfManyLinesComesInOne() {
        String ticket = (String) granted("").get("ticket");
        api.call("settle", "{\"ticket\":\"" + ticket + "\",\"as\":\"complete\",\"result\":{\n\"a\":\n1}}", CALLER);
        String claim = "{\"operation\":\"charge\",\"key\":\"k\",\"attempt_id\":\"" + id() + "\"}";
        assertThat(api.call("claim", claim, CALLER)).doesNotContain("\n").contains("\"a\"");
    }

    @Test
    void aRepeatOfAClaimGetsTheSameGrant() {
        String id = id();
        Map<String, @Nullable Object> first = claim(id, "");
        assertThat(claim(id, "")).isEqualTo(first).containsEntry("answer", "granted");
    }

    @ParameterizedTest
    @ValueSource(strings = {"complete", "failed", "in_doubt"})
    void aRepeatOfASettledClaimGetsItsEnding(String end) {
        String id = id();
        String policy = ",'policy':{'side_effect':'idempotent','repeat':'run'}";
        settle(claim(id, policy), "'as':'" + end + "'");
        assertThat(claim(id, policy)).containsEntry("answer", end.equals("complete") ? "replay" : end);
        restart();
        assertThat(claim(id, policy)).containsEntry("answer", end.equals("complete") ? "replay" : end);
    }

    /** Java, a shell and any client meet under one key. */
    @Test
    void anIdentityHasTheKeyThatJavaDerives() {
        String request = "{'scope':'order-7','operation':'charge','identity':{'customer':'cus_1','cents':4200,"
                + "'rate':1.10},'attempt_id':'" + id() + "'}";
        Map<String, @Nullable Object> granted = call("claim", request);
        Map<String, Object> identity = Map.of("customer", "cus_1", "cents", 4200, "rate", new BigDecimal("1.10"));
        assertThat(granted.get("key"))
                .isEqualTo(Key.derive("order-7", "charge", identity).value());
        settle(granted, "'as':'complete','result':'paid'");
        try (Idem idem = Idem.builder().ledger(ledger).quiet().open()) {
            String seen = idem.operation("charge")
                    .scope("order-7")
                    .identity(identity)
                    .returning(String.class)
                    .run(call -> "ran again");
            assertThat(seen).isEqualTo("paid");
        }
    }

    @Test
    void theFieldsOfTheIdentityAreLabelsAndTheGivenOnesWin() {
        granted(",'identity':{'customer':'cus_1','cents':4200},'labels':{'cents':'many','team':'red'}");
        assertThat(ledger.find(ADDRESS).orElseThrow().labels())
                .isEqualTo(Map.of("customer", "cus_1", "cents", "many", "team", "red"));
    }

    /** The command line opens every ledger as one that may be sealed, and its entries said nothing about ann. */
    @Test
    void aLedgerWithoutSealKeysKeepsTheFieldsToo() {
        api.close();
        ledger = new SealedLedger(ledger, SealKeys.none());
        api = new Api(ledger, url(), Host.system(), "1");
        granted(",'identity':{'customer':'ann'}");
        assertThat(ledger.find(ADDRESS).orElseThrow().labels()).isEqualTo(Map.of("customer", "ann"));
    }

    @Test
    void anotherIdentityUnderTheKeyIsAConflict() {
        granted(",'identity':{'cents':1}");
        assertThat(claim(",'identity':{'cents':2}"))
                .containsEntry("answer", "conflict")
                .containsEntry("of", "identity")
                .containsKeys("message", "for_model");
    }

    @Test
    void otherContentIsAWarningOrAConflict() {
        settle(granted(",'identity':1,'content':'hello'"), "'as':'complete'");
        assertThat(claim(",'identity':1,'content':'hallo'").toString()).contains("replay", "reworded");
        assertThat(claim(",'identity':1,'content':'hallo','policy':{'reworded':'conflict'}"))
                .containsEntry("answer", "conflict")
                .containsEntry("of", "content");
    }

    @Test
    void aDoubtSaysWhatSettlesIt() {
        settle(granted(""), "'as':'in_doubt','error':{'type':'timeout','message':'no answer'}");
        Map<String, @Nullable Object> doubt = claim("");
        assertThat(doubt)
                .containsEntry("answer", "in_doubt")
                .containsEntry("next", "person")
                .containsKeys("doubt", "doubt_since", "probe_at", "entry");
        assertThat((String) doubt.get("message"))
                .endsWith("idem resolve k --operation charge --scope default --ledger " + url()
                        + " --by NAME --why REASON --as complete --result JSON, or --as failed")
                .doesNotContain("idem.resolve", "probe(");
        assertThat((String) doubt.get("for_model"))
                .contains("Do not call it again")
                .contains("the key k");
        assertThat(claim(",'can_probe':true"))
                .containsEntry("answer", "in_doubt")
                .containsEntry("next", "probe");
    }

    @Test
    void aDoubtRunsAgainOnlyWhereThePolicyAllowsIt() {
        settle(granted(""), "'as':'in_doubt'");
        assertThat(claim(",'policy':{'side_effect':'destructive','on_doubt':'rerun'}"))
                .containsEntry("answer", "in_doubt");
        assertThat(claim(",'policy':{'side_effect':'destructive','passes_key_to':'Stripe'}"))
                .containsEntry("answer", "in_doubt");
        Map<String, @Nullable Object> again = granted(",'policy':'on_doubt: rerun'");
        assertThat(again).containsEntry("attempt", 2L);
        assertThat(settle(again, "'as':'failed'")).containsEntry("state", "in_doubt");
        assertThat(granted(",'policy':{'passes_key_to':'Stripe'}")).containsEntry("attempt", 3L);
    }

    @Test
    void aProbeIsAWordOfItsOwn() {
        String policy = ",'policy':{'time_limit':'100ms','lease':'50ms'}";
        settle(granted(policy), "'as':'in_doubt'");
        assertThat(claim(policy + ",'can_probe':true")).containsEntry("answer", "in_doubt");
        Map<String, @Nullable Object> probe = eventually("probe", policy + ",'can_probe':true");
        assertThat(probe).containsKeys("ticket", "entry").containsEntry("attempt", 1L);
        assertThat(refusal("mark", "{'ticket':'" + probe.get("ticket") + "','name':'x'}"))
                .startsWith("malformed");
        assertThat(settle(probe, "'as':'not_executed'"))
                .containsEntry("answer", "recorded")
                .containsEntry("state", "failed");
        assertThat(granted(policy)).containsEntry("attempt", 2L);
    }

    private Map<String, @Nullable Object> eventually(String word, String more) {
        AtomicReference<Map<String, @Nullable Object>> answer = new AtomicReference<>();
        Until.isTrue("a claim is answered " + word, () -> {
            answer.set(claim(more));
            return word.equals(answer.get().get("answer"));
        });
        return answer.get();
    }

    @Test
    void notExecutedIsForAProbeOnly() {
        Map<String, @Nullable Object> granted = granted("");
        assertThat(refusal("settle", "{'ticket':'" + granted.get("ticket") + "','as':'not_executed'}"))
                .contains("settle it as 'failed'");
        assertThat(claim("")).containsEntry("answer", "in_flight");
    }

    /** Who is told that a read needs no claim would run it, without the approval. */
    @ParameterizedTest
    @ValueSource(strings = {"{'side_effect':'read','approval':true}", "'side_effect: read\\napproval: true'"})
    void aReadThatNeedsAnApprovalIsRefused(String policy) {
        assertThat(refusal(
                        "claim", "{'operation':'look','key':'k','attempt_id':'" + id() + "','policy':" + policy + "}"))
                .startsWith("malformed: ")
                .contains("remove the approval");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "'operation':'charge','key':'k'",
                "'operation':'charge','key':'k','attempt_id':'12'",
                "'operation':'charge','attempt_id':'ID'",
                "'key':'k','attempt_id':'ID'",
                "'operation':'charge','key':'k','attempt_id':'ID','colour':'red'",
                "'operation':'charge','key':'a b','attempt_id':'ID'",
                "'operation':'charge','key':'k','attempt_id':'ID','occurrence':0",
                "'operation':'charge','key':'k','attempt_id':'ID','labels':{'a':1}",
                "'operation':'charge','key':'k','attempt_id':'ID','policy':{'side_effect':'read'}",
                "'operation':'charge','key':'k','attempt_id':'ID','policy':{'transaction':'join'}",
                "'operation':'charge','key':'k','attempt_id':'ID','policy':{'colour':'red'}",
                "'operation':'charge','key':'k','attempt_id':'ID','policy':{'approval':true}",
                "'operation':'charge','key':'k','attempt_id':'ID','parent':{'operation':'charge','key':'k'}",
                "'operation':'charge','key':'k','attempt_id':'ID','owner':{'process':{'pid':17}}",
                "'operation':'charge','key':'k','attempt_id':'ID','owner':{'process':{'host':'h','pid':17}}",
                "'operation':'charge','key':'k','attempt_id':'ID','owner':{}",
            })
    void whatCantBeUnderstoodIsRefusedAndClaimsNothing(String params) {
        assertThat(refusal("claim", "{" + params.replace("ID", id()) + "}")).startsWith("malformed: ");
        assertThat(ledger.find(ADDRESS)).isEmpty();
    }

    @Test
    void anotherLedgerIsRefused() {
        assertThat(refusal(
                        "claim",
                        "{'operation':'charge','key':'k','ledger':'sqlite:/tmp/x.db','attempt_id':'" + id() + "'}"))
                .startsWith("mismatch: ");
        assertThat(refusal("hello", "{'ledger':'sqlite:/tmp/x.db'}")).startsWith("mismatch: ");
        assertThat(refusal("hello", "{'protocol':2}")).startsWith("mismatch: ");
        assertThat(call("hello", "{'ledger':'" + url() + "','protocol':1}").get("ledger_id"))
                .isEqualTo(call("hello", "{}").get("ledger_id"));
    }

    @Test
    void theOwnerIsTheClientsProcess() {
        ProcessRef self = Host.system().self().process();
        assumeTrue(self != null, "processes can't be told apart here");
        String owner = ",'owner':{'process':{'host':'" + self.host() + "','pid':" + self.pid() + ",'start':";
        granted(owner + self.start() + "}}");
        assertThat(ledger.find(ADDRESS).orElseThrow().tenure().owner().process())
                .isEqualTo(self);
        assertThat(refusal(
                        "claim",
                        "{'operation':'charge','key':'other','attempt_id':'" + id() + "'" + owner + (self.start() + 1)
                                + "}}}"))
                .contains("there is no process " + self.pid());
    }

    /** In the new ledger the same fence was another client's, whose attempt was called failed while it acted. */
    @Test
    void aTicketOfAnotherLedgerIsRefused() {
        String ticket;
        try (Ledger memory = Ledgers.open("memory:");
                Api before = new Api(memory, "memory:", Host.system(), "1")) {
            ticket = (String) json(before.call("claim", claimOf(id(), "").replace('\'', '"'), CALLER))
                    .get("ticket");
        }
        try (Ledger memory = Ledgers.open("memory:");
                Api after = new Api(memory, "memory:", Host.system(), "1")) {
            after.call("claim", claimOf(id(), "").replace('\'', '"'), CALLER);
            for (String request : List.of(
                    "settle {'ticket':'T','as':'failed'}",
                    "mark {'ticket':'T','name':'m'}",
                    "renew {'tickets':[{'ticket':'T'}]}")) {
                String[] words = request.replace("T", ticket).replace('\'', '"').split(" ", 2);
                assertThatThrownBy(() -> after.call(words[0], words[1], CALLER))
                        .isInstanceOfSatisfying(
                                ApiException.class, e -> assertThat(e.error()).isEqualTo(ApiError.MISMATCH));
            }
        }
    }

    /** The server went on in a file that nobody else could open any more. */
    @Test
    void aFileThatWasRemovedIsNotServed() throws IOException {
        Map<String, @Nullable Object> granted = granted("");
        Files.delete(folder.resolve("idem.db"));
        assertThat(refusal("settle", "{'ticket':'" + granted.get("ticket") + "','as':'complete'}"))
                .startsWith("unreadable")
                .contains("removed or replaced");
        Files.createFile(folder.resolve("idem.db"));
        assertThat(refusal("claim", claimOf(id(), ""))).startsWith("unreadable");
    }

    @Test
    void theTicketKeepsThePolicyOverARestart() {
        Map<String, @Nullable Object> first = granted(",'policy':{'retention':'30d','keep_failures':true}");
        restart();
        settle(first, "'as':'failed','error':{'type':'declined','message':'no money'}");
        assertThat(claim(""))
                .containsEntry("answer", "failed")
                .containsEntry("kept", true)
                .containsEntry("failure_message", "no money");
        var times = ledger.find(ADDRESS).orElseThrow().times();
        assertThat(Duration.between(times.settled(), times.expires())).hasDays(30);
    }

    /** It waited for the attempt that its own client would have settled next. */
    @Test
    void aClaimAnswersAtOnce() {
        granted("");
        assertTimeoutPreemptively(
                Duration.ofSeconds(20), () -> assertThat(claim("")).containsEntry("answer", "in_flight"));
    }

    @Test
    void aTicketThatWasTakenOverIsStale() {
        String policy = ",'policy':{'lease':'1ms','on_doubt':'rerun'}";
        // Nobody renews it, since nobody sees its owner.
        Map<String, @Nullable Object> first = json(
                api.call("claim", claimOf(id(), policy).replace('\'', '"'), Caller.local("ann", () -> false, true)));
        Map<String, @Nullable Object> second = eventually("granted", ",'policy':{'on_doubt':'rerun'}");
        assertThat(settle(first, "'as':'failed'"))
                .containsEntry("answer", "stale")
                .containsEntry("state", "in_progress");
        assertThat(call(
                                "renew",
                                "{'tickets':[{'ticket':'" + first.get("ticket") + "'},{'ticket':'"
                                        + second.get("ticket") + "'}]}")
                        .get("tickets"))
                .isEqualTo(List.of(Map.of("answer", "lost"), Map.of("answer", "renewed", "lease_ms", 30_000L)));
        assertThat(settle(second, "'as':'complete'")).containsEntry("answer", "recorded");
    }

    /** The repeat of a claim may have been granted meanwhile: only its client knows whether it has given up. */
    @Test
    void aClaimWhoseAnswerWasLostIsNotWithdrawnByTheServer() {
        AtomicBoolean lost = new AtomicBoolean(true);
        Ledger behind = ledger;
        ledger = new ForwardingLedger(behind) {
            @Override
            public Claim claim(ClaimRequest request) {
                Claim claim = super.claim(request);
                if (lost.get()) {
                    throw new LedgerUnavailableException("the answer was lost", null);
                }
                return claim;
            }
        };
        api.close();
        api = new Api(ledger, url(), Host.system(), "1");
        String id = id();
        String policy = ",'policy':{'lease':'300ms'}";
        assertThat(refusal("claim", claimOf(id, policy))).startsWith("ledger_unavailable");
        lost.set(false);
        Map<String, @Nullable Object> granted = claim(id, policy);
        assertThat(granted).containsEntry("answer", "granted");
        long end = System.nanoTime() + Duration.ofMillis(2500).toNanos();
        Until.isTrue("several heartbeats later", () -> System.nanoTime() - end > 0);
        assertThat(settle(granted, "'as':'complete'")).containsEntry("answer", "recorded");
    }

    @Test
    void aMarkIsForAStagedCall() {
        String mark = "{'name':'charging','ticket':'" + granted("").get("ticket") + "'}";
        assertThat(refusal("mark", mark)).contains("staged: true");
        Map<String, @Nullable Object> staged = granted(",'scope':'order-8','policy':{'staged':true}");
        String other = "{'name':'charging','ticket':'" + staged.get("ticket") + "'}";
        assertThat(call("mark", other)).isEqualTo(of("answer", "marked"));
        assertThat(settle(staged, "'as':'complete'")).doesNotContainKey("warnings");
        Map<String, @Nullable Object> unmarked = granted(",'scope':'order-9','policy':{'staged':true}");
        assertThat(settle(unmarked, "'as':'complete'").get("warnings").toString())
                .contains("unmarked", "would run again");
        assertThat(call("mark", other)).isEqualTo(of("answer", "stale"));
    }
}
