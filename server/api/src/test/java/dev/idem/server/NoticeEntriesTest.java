package dev.idem.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The entries that keep who was told about others. */
class NoticeEntriesTest extends ApiCase {
    private static final String SCOPE = "notices:abc";

    @BeforeEach
    void tell() {
        try (var idem = dev.idem.Idem.builder().ledger(ledger).quiet().open()) {
            idem.operation(Access.NOTICE).scope(SCOPE).key("1-1").run(call -> "sent");
            idem.operation(Access.NOTICE_BATCH).scope(SCOPE).key("1").run(call -> "{}");
            idem.operation("charge").scope("notices-of-mine").key("k").run(call -> "paid");
        }
    }

    @Test
    void nobodyIsShownThemWhoDoesNotAskForThem() {
        assertThat(call("browse", "{}").toString()).contains("notices-of-mine").doesNotContain(SCOPE);
        assertThat(call("browse", "{'scope':'" + SCOPE + "'}").toString()).contains("1-1");
    }

    @Test
    void theyAreNotCounted() {
        call("hello", "{}");
        Map<?, ?> entries = (Map<?, ?>) call("stats", "{}").get("entries");
        long others = ((List<?>) call("browse", "{}").get("entries")).size();
        assertThat(String.valueOf(entries == null ? null : entries.get("complete")))
                .isEqualTo(Long.toString(others));
        assertThat(call("counts", "{}").toString()).contains("charge").doesNotContain(Access.NOTICE);
    }

    @Test
    void noClientActsOnThem() {
        String claim =
                "{'operation':'" + Access.NOTICE + "','scope':'" + SCOPE + "','key':'2-1','attempt_id':'" + id() + "'}";
        assertThat(refusal("claim", claim)).contains("malformed").contains("Idem's own");
        String forget = "{'operation':'" + Access.NOTICE + "','scope':'" + SCOPE
                + "','key':'1-1','fence':'1','state':'complete','who':'ann','why':'so','request_id':'" + id() + "'}";
        assertThat(refusal("forget", forget)).contains("malformed").contains("Idem's own");
    }
}
