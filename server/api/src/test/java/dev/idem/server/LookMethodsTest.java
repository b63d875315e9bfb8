package dev.idem.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idem.Address;
import dev.idem.Idem;
import dev.idem.spi.Host;
import dev.idem.spi.Ledger;
import dev.idem.spi.Ledgers;
import dev.idem.testkit.MemoryFolder;
import dev.idem.testkit.Until;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LookMethodsTest extends ApiCase {
    @Test
    void payloadsAreGivenByResultAlone() {
        Map<String, @Nullable Object> granted = granted(",'labels':{'team':'red'}");
        settle(granted, "'as':'complete','result':'s3cret'");
        String entry = "{'operation':'charge','key':'k'}";
        assertThat(call("find", entry).toString())
                .contains("state=complete", "team=red")
                .doesNotContain("s3cret");
        assertThat(call("browse", "{'operation':'charge'}").toString())
                .contains("key=k")
                .doesNotContain("s3cret");
        assertThat(call("trail", entry).toString())
                .contains("granted", "complete")
                .doesNotContain("s3cret");
        assertThat(call("result", entry)).isEqualTo(of("answer", "complete", "result", "s3cret"));
        assertThat(call("find", "{'operation':'charge','key':'other'}")).isEqualTo(of("answer", "none"));
        assertThat(call("result", "{'operation':'charge','key':'other'}")).isEqualTo(of("answer", "none"));
    }

    @Test
    void anEntryTellsHowADoubtMayEnd() {
        String found = "{'operation':'charge','key':'k'}";
        settle(granted(""), "'as':'failed'");
        assertThat(call("find", found).toString()).contains("recovery=person").contains("labels={}");
        settle(granted(",'policy':{'side_effect':'idempotent'}"), "'as':'failed'");
        assertThat(call("find", found).toString()).contains("recovery=rerun").contains("labels={recovery=rerun}");
        settle(granted(",'can_probe':true"), "'as':'in_doubt'");
        assertThat(call("find", found).toString()).contains("recovery=probe");
        assertThat(call("browse", "{'labels':{'recovery':'probe'}}").toString()).contains("key=k");
    }

    @Test
    void attemptIdsAreNotShown() {
        String id = id();
        claim(id, "");
        assertThat(call("find", "{'operation':'charge','key':'k'}").toString()).doesNotContain(id);
        assertThat(claim("").toString()).doesNotContain(id);
    }

    @Test
    void aFilterIsChecked() {
        assertThat(refusal("browse", "{'states':['lost']}")).contains("in_progress");
        assertThat(refusal("browse", "{'state':'complete'}")).contains("'state' is not known");
        assertThat(refusal("nothing", "{}")).contains("approvals.list", "withdraw");
        assertThat(refusal("find", "[]")).startsWith("malformed");
    }

    @Test
    void pagesGoOn() {
        for (int i = 0; i < 3; i++) {
            call("claim", "{'operation':'charge','key':'k" + i + "','attempt_id':'" + id() + "'}");
        }
        Map<String, @Nullable Object> page = call("browse", "{'operation':'charge','limit':2}");
        assertThat(page.toString()).contains("key=k2", "key=k1").doesNotContain("key=k0");
        assertThat(call("browse", "{'operation':'charge','limit':2,'after':'" + page.get("next") + "'}")
                        .toString())
                .contains("key=k0")
                .doesNotContain("key=k1");
    }

    @Test
    void namesAreSuggested() {
        call(
                "claim",
                "{'scope':'order-7','operation':'charge','key':'a','labels':{'team':'red'},'attempt_id':'" + id()
                        + "'}");
        assertThat(call("suggest", "{'of':'scope','prefix':'ord'}").toString()).contains("order-7");
        assertThat(call("suggest", "{'of':'operation','prefix':'x'}").toString())
                .doesNotContain("charge");
        assertThat(call("suggest", "{'of':'label'}").toString()).contains("team");
        assertThat(call("suggest", "{'of':'label','label':'team','prefix':'r'}"))
                .isEqualTo(of("answer", "done", "names", List.of("red")));
    }

    /** "Was customer 42 charged twice?" Nobody who asks knows the name of the label, or how old the call is. */
    @Test
    void aValueIsFoundUnderAnyNameHoweverOld() {
        labelled("old", "'zz_customer':'cus_42'");
        for (int i = 0; i < 1100; i++) {
            labelled("k" + i, "'label_" + i % 30 + "':'x" + i + "'");
        }
        assertThat(call("suggest", "{'of':'label','value':'cus_42'}"))
                .isEqualTo(of("answer", "done", "names", List.of("zz_customer=cus_42"), "all", true));
        assertThat(call("suggest", "{'of':'label','value':'cus_4'}"))
                .isEqualTo(of("answer", "done", "names", List.of(), "all", true));
        labelled("new", "'brand_new':'cus_42'");
        assertThat(call("suggest", "{'of':'label','value':'cus_42'}").get("names"))
                .isEqualTo(List.of("brand_new=cus_42", "zz_customer=cus_42"));
        Caller other = new Caller(
                "token other",
                false,
                new Access(EnumSet.of(Right.READ), List.of(Access.pattern("other/*"))),
                () -> true,
                () -> true,
                false);
        assertThat(api.call("suggest", "{\"of\":\"label\",\"value\":\"cus_42\"}", other))
                .doesNotContain("cus_42");
    }

    /** An approval has the labels of its call, and is not the call. */
    @Test
    void entriesOfIdemItselfAreNotSuggested() {
        call(
                "claim",
                "{'operation':'charge','key':'held','attempt_id':'" + id()
                        + "','policy':{'approval':true},'arguments':{'cents':4200}}");
        assertThat(call("suggest", "{'of':'label'}").get("names")).isEqualTo(List.of());
    }

    private void labelled(String key, String labels) {
        assertThat(call(
                        "claim",
                        "{'operation':'charge','key':'" + key + "','attempt_id':'" + id() + "','labels':{" + labels
                                + "}}"))
                .containsEntry("answer", "granted");
    }

    @Test
    void whatAPersonHasResolvedIsFound() {
        for (String who : List.of("ann", "anna")) {
            Map<String, @Nullable Object> granted =
                    call("claim", "{'operation':'charge','key':'" + who + "','attempt_id':'" + id() + "'}");
            settle(granted, "'as':'in_doubt'");
            call(
                    "resolve",
                    "{'operation':'charge','key':'" + who + "','fence':'" + granted.get("fence")
                            + "','state':'in_doubt','as':'complete','who':'" + who + "','why':'seen','request_id':'"
                            + id()
                            + "'}");
        }
        settle(granted(""), "'as':'complete'");
        assertThat(keys(call("browse", "{'resolved_by':'ann'}"))).containsExactly("ann");
        assertThat(keys(call("browse", "{'resolved_by':'bob'}"))).isEmpty();
    }

    @Test
    void entriesAreFoundByTheirTriesAndByWhatTheySay() {
        String bank = ",'error':{'type':'java.net.SocketTimeoutException','message':'The bank did not answer'}";
        settle(claimed("doubt"), "'as':'in_doubt'" + bank);
        settle(claimed("twice"), "'as':'failed'" + bank);
        settle(claimed("twice"), "'as':'failed','error':{'type':'no.Account','message':'no such account'}");
        settle(claimed("done"), "'as':'complete'");
        assertThat(keys(call("browse", "{'min_attempt':2}"))).containsExactly("twice");
        assertThat(keys(call("browse", "{'message':'BANK did'}"))).containsExactly("doubt");
        assertThat(keys(call("browse", "{'message':'sockettimeout'}"))).containsExactly("doubt");
        assertThat(keys(call("browse", "{'message':'account','min_attempt':2}")))
                .containsExactly("twice");
        assertThat(keys(call("browse", "{'message':'account','min_attempt':3}")))
                .isEmpty();
        assertThat(keys(call("browse", "{'message':'bank','states':['complete']}")))
                .isEmpty();
        assertThat(refusal("browse", "{'min_attempt':0}")).startsWith("malformed: 'min_attempt'");
        assertThat(String.valueOf(call("resolve", "{'dry_run':true,'filter':{'message':'bank'}}")))
                .contains("key=doubt")
                .doesNotContain("key=twice");
        assertThat(call("resolve", "{'dry_run':true,'filter':{'min_attempt':2}}"))
                .containsEntry("items", List.of());
    }

    private Map<String, @Nullable Object> claimed(String key) {
        Map<String, @Nullable Object> claimed =
                call("claim", "{'operation':'charge','key':'" + key + "','attempt_id':'" + id() + "'}");
        assertThat(claimed).containsEntry("answer", "granted");
        return claimed;
    }

    @Test
    void whatRanInsideOfACallIsFoundPageByPage() {
        settle(granted(""), "'as':'complete'");
        for (String child : List.of("c1", "c2", "c3")) {
            call(
                    "claim",
                    "{'operation':'step','key':'" + child + "','attempt_id':'" + id()
                            + "','parent':{'operation':'charge','key':'k'}}");
            call("claim", "{'operation':'step','key':'other-" + child + "','attempt_id':'" + id() + "'}");
        }
        String children = "'parent':{'operation':'charge','key':'k'},'oldest_first':true,'limit':2";
        Map<String, @Nullable Object> page = call("browse", "{" + children + "}");
        assertThat(keys(page)).containsExactly("c1", "c2");
        assertThat(keys(call("browse", "{" + children + ",'after':'" + page.get("next") + "'}")))
                .containsExactly("c3");
    }

    /** The search went through the oldest entries of the ledger, and gave up after 20,000. */
    @Test
    void whatRanInsideOfACallIsFoundBehindManyOthers(@TempDir(factory = MemoryFolder.class) Path fast) {
        String url = "sqlite:" + fast.resolve("many.db");
        try (Ledger many = Ledgers.open(url);
                Idem idem = Idem.builder().ledger(many).quiet().open()) {
            IntStream.range(0, 20_500)
                    .parallel()
                    .forEach(i -> idem.operation("other").key("other-" + i).run(call -> 1));
            idem.operation("charge")
                    .key("k")
                    .run(call -> idem.operation("step").key("c1").run(inner -> 1));
            try (Api of = new Api(many, url, Host.system(), "1")) {
                Map<String, @Nullable Object> page = json(of.call(
                        "browse",
                        "{\"parent\":{\"operation\":\"charge\",\"key\":\"k\"},\"oldest_first\":true}",
                        CALLER));
                assertThat(keys(page)).containsExactly("c1");
                assertThat(page).doesNotContainKey("next");
            }
        }
    }

    private static List<Object> keys(Map<String, @Nullable Object> page) {
        return ((List<?>) Objects.requireNonNull(page.get("entries")))
                .stream().map(each -> (Object) ((Map<?, ?>) each).get("key")).toList();
    }

    /** The counts of a server stayed in its memory. */
    @Test
    void replaysAreCountedForOthersToo() {
        settle(granted(""), "'as':'complete'");
        claim("");
        claim("");
        try (Ledger another = Ledgers.open(url())) {
            Address address = new Address("default", "charge", "k");
            Until.isTrue(
                    "the counts are written",
                    () -> another.find(address).orElseThrow().replays() == 2);
        }
    }

    @Test
    void entriesAreCounted() {
        settle(granted(""), "'as':'in_doubt'");
        assertThat(call("stats", "{}").toString()).contains("in_doubt=1");
    }

    @Test
    void whatIsNoJsonComesInBase64() {
        try (Idem idem = Idem.builder().ledger(ledger).quiet().open()) {
            idem.operation("charge").key("k").returning(byte[].class).run(call -> new byte[] {1, 2, 3});
        }
        assertThat(claim("").get("result_bytes"))
                .isEqualTo(Map.of("media", "application/octet-stream", "codec", "bytes", "base64", "AQID"));
    }

    /** A client that has no codecs of Java took it for bytes. */
    @Test
    void aTextOfAJavaProgramIsAText() {
        try (Idem idem = Idem.builder().ledger(ledger).quiet().open()) {
            idem.operation("charge").key("k").run(call -> "ch_1,\n\"paid\"");
        }
        assertThat(claim("")).containsEntry("result", "ch_1,\n\"paid\"").doesNotContainKey("result_bytes");
    }

    @Test
    void keysAreDerived() {
        assertThat(call("key", "{'operation':'charge','identity':{'b':1,'a':2}}"))
                .containsEntry("canonical", "{\"a\":2,\"b\":1}");
        assertThat(call("key", "{'formula':'plain_sha256','identity':'x'}").get("key"))
                .isEqualTo("2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881");
        assertThat(refusal("key", "{'formula':'none','identity':'x'}")).contains("plain_sha256");
    }
}
