package dev.idem.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idem.Json;
import dev.idem.spi.Host;
import dev.idem.spi.LedgerContext;
import dev.idem.spi.Ledgers;
import dev.idem.testkit.SettableClocks;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.function.Predicate;
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

    /** The truth is kept beside: each try, also of a call that completed later, and each duplicate. */
    @Test
    void triesAndDuplicatesAreCountedAsTheyHappened() {
        List<Map<String, @Nullable Object>> truth = new ArrayList<>();
        Instant since = Instant.now().minus(Duration.ofDays(1)).truncatedTo(ChronoUnit.HOURS);
        Random random = new Random(42);
        for (int i = 0; i < 300; i++) {
            String operation = i % 3 == 0 ? "mail" : "charge";
            for (int failures = random.nextInt(3); failures > 0; failures--) {
                settle(take("acme/shop", operation, "k" + i), "'as':'failed'");
                truth.add(of("operation", operation, "kind", "failed"));
            }
            String as = i % 60 == 0 ? "in_doubt" : "complete";
            settle(take("acme/shop", operation, "k" + i), "'as':'" + as + "'");
            truth.add(of("operation", operation, "kind", as));
            for (int again = as.equals("complete") ? random.nextInt(4) : 0; again > 0; again--) {
                take("acme/shop", operation, "k" + i);
                truth.add(of("operation", operation, "kind", "duplicates"));
            }
        }
        call(
                "resolve",
                "{'scope':'acme/shop','operation':'mail','key':'k0','fence':'"
                        + find("mail", "k0").get("fence")
                        + "','state':'in_doubt','as':'not_executed','even_though_it_may_still_act':true,'who':'ann','why':'looked','request_id':'"
                        + id() + "'}");
        take("acme/shop", "mail", "k0");
        truth.add(of("operation", "mail", "kind", "in_progress"));

        Map<String, @Nullable Object> counts = call("counts", "{}");
        assertCounted(counts, truth, each -> true);
        for (Map<String, @Nullable Object> each : list(counts.get("by_operation"))) {
            assertCounted(each, truth, one -> one.get("operation").equals(each.get("operation")));
        }
        Map<String, @Nullable Object> hours = of("complete", 0L, "failed", 0L, "in_doubt", 0L, "in_progress", 0L);
        for (Map<String, @Nullable Object> each : list(counts.get("by_hour"))) {
            part(each.get("tries")).forEach((kind, count) -> hours.merge(kind, count, (a, b) -> (long) a + (long) b));
        }
        assertThat(hours).isEqualTo(counts.get("tries"));
        assertThat(Instant.parse((String) counts.get("since"))).isBetween(since, since.plus(Duration.ofHours(1)));
        assertThat(counts).containsKeys("median_ms", "p95_ms").doesNotContainKey("tries_from");
    }

    private Map<String, @Nullable Object> find(String operation, String key) {
        return part(call("find", "{'scope':'acme/shop','operation':'" + operation + "','key':'" + key + "'}")
                .get("entry"));
    }

    private static void assertCounted(
            Map<String, @Nullable Object> counts,
            List<Map<String, @Nullable Object>> truth,
            Predicate<Map<String, @Nullable Object>> about) {
        Map<String, @Nullable Object> expected = new LinkedHashMap<>();
        for (String kind : List.of("complete", "failed", "in_doubt", "in_progress", "duplicates")) {
            expected.put(
                    kind,
                    truth.stream()
                            .filter(about.and(one -> kind.equals(one.get("kind"))))
                            .count());
        }
        assertThat(counts).containsEntry("duplicates", expected.remove("duplicates"));
        assertThat(counts).containsEntry("tries", expected);
    }

    @SuppressWarnings("unchecked")
    private static Map<String, @Nullable Object> part(@Nullable Object value) {
        return (Map<String, @Nullable Object>) Objects.requireNonNull(value);
    }

    /** Of two tries, 95 % are both. */
    @Test
    void nineteenOfTwentyTriesWereAsFastAsItSays() {
        close();
        SettableClocks clocks = new SettableClocks();
        ledger = Ledgers.open(url(), new LedgerContext(clocks, Host.system()));
        api = new Api(ledger, url(), Host.system(), "1");
        for (int millis : List.of(10, 3000)) {
            Map<String, @Nullable Object> ticket = take("acme/shop", "charge", "took-" + millis);
            clocks.advance(Duration.ofMillis(millis));
            settle(ticket, "'as':'complete'");
        }
        assertThat(call("counts", "{}")).containsEntry("median_ms", 10L).containsEntry("p95_ms", 3000L);
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
