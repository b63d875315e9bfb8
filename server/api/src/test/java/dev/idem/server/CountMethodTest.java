package dev.idem.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idem.Json;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class CountMethodTest extends ApiCase {
    private Map<String, @Nullable Object> take(String scope, String operation, String key) {
        return call(
                "claim",
                "{'scope':'" + scope + "','operation':'" + operation + "','key':'" + key + "','attempt_id':'" + id()
                        + "'}");
    }

    private void fill() {
        settle(take("acme/shop", "charge", "done"), "'as':'complete'");
        take("acme/shop", "charge", "done");
        settle(take("acme/shop", "charge", "doubted"), "'as':'in_doubt'");
        settle(take("acme/shop", "mail", "failed"), "'as':'failed'");
        settle(take("acme2/x", "charge", "theirs"), "'as':'in_doubt'");
        take("acme2/x", "secret_operation", "running");
    }

    @Test
    void entriesAreCountedByOperationAndHour() {
        Instant before = Instant.now().truncatedTo(ChronoUnit.HOURS);
        fill();
        Map<String, @Nullable Object> counts = call("counts", "{'scope':'acme/shop'}");
        assertThat(counts)
                .containsEntry("entries", of("in_progress", 0L, "complete", 1L, "failed", 1L, "in_doubt", 1L))
                .containsEntry("replays", 1L)
                .containsKeys("median_ms", "p95_ms", "as_of")
                .doesNotContainKeys("from", "more_operations");
        List<Map<String, @Nullable Object>> operations = list(counts.get("by_operation"));
        assertThat(operations).extracting(each -> each.get("operation")).containsExactly("charge", "mail");
        assertThat(operations.get(0))
                .containsEntry("entries", of("in_progress", 0L, "complete", 1L, "failed", 0L, "in_doubt", 1L))
                .containsEntry("replays", 1L)
                .containsKey("median_ms");
        assertThat(operations.get(1)).doesNotContainKey("median_ms");
        assertThat(list(counts.get("by_hour")))
                .extracting(each -> Instant.parse((String) each.get("hour")))
                .allSatisfy(hour -> assertThat(hour).isBetween(before, Instant.now()))
                .isSorted();
        assertThat(counts.get("oldest_doubt").toString()).contains("key=doubted");
    }

    @Test
    void entriesOfIdemItselfAreNotCounted() {
        call("hello", "{}");
        Object approval = call(
                        "claim",
                        "{'operation':'charge','key':'held','attempt_id':'" + id()
                                + "','policy':{'approval':true},'arguments':{'cents':4200}}")
                .get("approval");
        call("approvals.approve", "{'approval':'" + approval + "','who':'ann'}");
        fill();
        Map<String, @Nullable Object> counts = call("counts", "{}");
        assertThat(list(counts.get("by_operation")))
                .extracting(each -> each.get("operation"))
                .containsExactly("charge", "mail", "secret_operation");
        assertThat(counts)
                .containsEntry("entries", of("in_progress", 1L, "complete", 1L, "failed", 1L, "in_doubt", 2L));
    }

    @Test
    void onlyTheScopesOfTheCallerAreCounted() {
        fill();
        Access acme = new Access(EnumSet.of(Right.READ), List.of(Access.pattern("acme/*")));
        Caller caller = new Caller("token ci", false, acme, () -> true, () -> true, false);
        Caller others = new Caller(
                "token other",
                false,
                new Access(EnumSet.of(Right.READ), List.of(Access.pattern("acme2/*"))),
                () -> true,
                () -> true,
                false);
        assertThat(api.call("counts", "{}", others))
                .contains("secret_operation")
                .doesNotContain("doubted");
        String seen = api.call("counts", "{}", caller);
        assertThat(json(seen))
                .containsEntry("entries", of("in_progress", 0L, "complete", 1L, "failed", 1L, "in_doubt", 1L));
        assertThat(seen).doesNotContain("secret_operation", "theirs", "acme2");
    }

    /** Many open pages cost the ledger as much as one. */
    @Test
    void anAnswerIsKeptForSomeSeconds() {
        Map<String, @Nullable Object> first = call("counts", "{}");
        fill();
        assertThat(call("counts", "{}")).isEqualTo(first);
        assertThat(Json.write(call("counts", "{'newer_than_ms':3600000}"))).contains("mail");
    }

    @Test
    void theDaysAreBounded() {
        assertThat(refusal("counts", "{'newer_than_ms':604800001}")).contains("at most 7 days");
        assertThat(call("counts", "{'newer_than_ms':604800000}")).containsEntry("answer", "done");
    }

    @SuppressWarnings("unchecked")
    private static List<Map<String, @Nullable Object>> list(@Nullable Object value) {
        return (List<Map<String, @Nullable Object>>) value;
    }
}
