package dev.idem.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idem.Json;
import dev.idem.internal.wire.RecordJson;
import dev.idem.spi.Effect;
import dev.idem.spi.Result;
import dev.idem.spi.Retention;
import dev.idem.spi.Settlement;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Texts that fill the ledger: twenty of some megabytes kept an operator from ever seeing a page again. */
class LimitsTest extends ApiCase {
    private static final String LARGE = "x".repeat(5_000_000);

    @ParameterizedTest
    @ValueSource(
            strings = {
                "'labels':{'note':'LARGE'}",
                "'labels':{'LARGE':'note'}",
                "'labels':{MANY}",
                "'owner':{'name':'LARGE'}",
                "'ledger':'LARGE'",
                "'policy':'LARGE'",
            })
    void aClaimWithALargeTextIsRefused(String member) {
        StringBuilder many = new StringBuilder("'a':'b'");
        for (int i = 0; i < 100; i++) {
            many.append(",'l").append(i).append("':'v'");
        }
        String claim = claimOf(id(), "," + member.replace("LARGE", LARGE).replace("MANY", many));
        assertThat(refusal("claim", claim))
                .startsWith("malformed")
                .contains(member.substring(1, member.indexOf(':') - 1).replace("labels", "label"))
                .contains("at most")
                .hasSizeLessThan(1000);
        assertThat(call("find", "{'operation':'charge','key':'k'}")).containsEntry("answer", "none");
    }

    /** Each of its names was compared with all before it, for minutes. */
    @Test
    void aRequestHasAtMostAThousandMembers() {
        StringBuilder many = new StringBuilder();
        for (int i = 0; i < 1000; i++) {
            many.append(",'m").append(i).append("':1");
        }
        assertThat(refusal("hello", "{'protocol':1" + many + "}"))
                .startsWith("malformed")
                .contains("at most 1000");
    }

    /** It has run: a refusal would lose how it ended. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "'as':'complete','unavailable':'LARGE'",
                "'as':'failed','error':{'type':'LARGE','message':'LARGE'}",
                "'as':'in_doubt','error':{'type':'LARGE','message':'LARGE'}",
            })
    void aSettlementWithALargeTextIsCut(String how) {
        Map<String, @Nullable Object> settled = settle(granted(""), how.replace("LARGE", LARGE));
        assertThat(settled).containsEntry("answer", "recorded");
        assertThat(call("browse", "{}").toString()).hasSizeLessThan(20_000);
        assertThat(claim("").toString()).hasSizeLessThan(20_000);
    }

    /** A program that opens this server as its ledger sends records. */
    @Test
    void aRecordWithALargeTextIsCut() {
        String ledgerId = String.valueOf(call("hello", "{}").get("ledger_id"));
        String fence = String.valueOf(granted("").get("fence"));
        String ticket = "'ledger_id':'" + ledgerId + "','ticket':{'address':{'scope':'default','operation':'charge',"
                + "'key':'k'},'fence':'" + fence + "'}";
        assertThat(call(
                        "ledger.settle",
                        "{" + ticket
                                + ",'how':{'kind':'doubtful','failure':{'type':'LARGE','message':'LARGE'},'ended':false}}"
                                        .replace("LARGE", LARGE)))
                .containsEntry("answer", "done");
        assertThat(call("browse", "{}").toString()).hasSizeLessThan(20_000);
    }

    @Test
    void aCompletionWithALargeTextIsCut() {
        String ledgerId = String.valueOf(call("hello", "{}").get("ledger_id"));
        String fence = String.valueOf(granted("").get("fence"));
        Settlement how =
                new Settlement.Completed(new Result.Unavailable(LARGE), Effect.CREATED, Retention.DEFAULT, LARGE, null);
        String settled =
                "{\"ledger_id\":\"" + ledgerId + "\",\"ticket\":{\"address\":{\"scope\":\"default\",\"operation\":"
                        + "\"charge\",\"key\":\"k\"},\"fence\":\"" + fence + "\"},\"how\":"
                        + Json.writePlain(RecordJson.write(how))
                        + "}";
        assertThat(json(api.call("ledger.settle", settled, CALLER))).containsEntry("answer", "done");
        assertThat(call("find", "{'operation':'charge','key':'k'}").toString())
                .contains("state=complete")
                .hasSizeLessThan(20_000);
    }

    /** A ticket with it was refused once the action had run. */
    @Test
    void aLeaseOfMoreThanACenturyIsRefusedBeforeAnythingRuns() {
        assertThat(refusal("claim", claimOf(id(), ",'policy':{'lease':'PT1000000H'}")))
                .startsWith("malformed")
                .contains("at most a century", "Nothing was claimed");
        assertThat(call("find", "{'operation':'charge','key':'k'}")).containsEntry("answer", "none");
    }

    /** Earlier versions took them. */
    @Test
    void olderEntriesThatAreLargeAreShownInShortPagesAndSettled() throws Exception {
        for (int i = 0; i < 20; i++) {
            String claim = "{'operation':'charge','key':'k" + i + "','attempt_id':'" + id() + "'}";
            settle(call("claim", claim), "'as':'complete','unavailable':'MARKER'");
        }
        Map<String, @Nullable Object> open = granted(",'labels':{'note':'MARKER'}");
        try (Connection sql = DriverManager.getConnection("jdbc:sqlite:" + folder.resolve("idem.db"));
                PreparedStatement enlarge =
                        sql.prepareStatement("UPDATE entries SET document = replace(document, 'MARKER', ?)")) {
            enlarge.setString(1, LARGE);
            assertThat(enlarge.executeUpdate()).isGreaterThan(20);
        }
        restart();
        Set<Object> keys = new HashSet<>();
        int pages = 0;
        Object next = null;
        do {
            Map<String, @Nullable Object> page =
                    call("browse", next == null ? "{'limit':1000}" : "{'limit':1000,'after':'" + next + "'}");
            ((List<?>) page.get("entries"))
                    .forEach(each ->
                            assertThat(keys.add(((Map<?, ?>) each).get("key"))).isTrue());
            next = page.get("next");
            pages++;
        } while (next != null);
        assertThat(keys).contains("k0", "k19", "k");
        assertThat(pages).isGreaterThan(5);
        assertThat(call("suggest", "{'of':'operation'}").get("names").toString())
                .contains("charge");
        assertThat(call("stats", "{}")).containsEntry("answer", "done");
        assertThat(call("counts", "{}")).containsEntry("answer", "done");
        assertThat(settle(open, "'as':'complete','result':1")).containsEntry("answer", "recorded");
    }
}
