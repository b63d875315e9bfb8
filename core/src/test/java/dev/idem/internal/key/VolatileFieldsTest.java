package dev.idem.internal.key;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class VolatileFieldsTest {
    private static final String RANDOM_V4 = "f47ac10b-58cc-4372-a567-0e02b2c3d479";
    private static final String RANDOM_V7 = "01890a5d-ac96-774b-bcce-b302099a8057";
    private static final String NAMED_V5 = "9342d47a-1bab-5709-9869-c840b2eac501";

    @ParameterizedTest
    @ValueSource(
            strings = {
                "timestamp",
                "ts",
                "now",
                "created_at",
                "updatedAt",
                "nonce",
                "random",
                "request_id",
                "requestId",
                "X-Request-Id",
                "Request-ID",
                "trace_id",
                "span_id",
                "tool_call_id",
                "run_id",
                "attempt"
            })
    void warnsOfNamesThatMeanOneTry(String name) {
        assertThat(VolatileFields.warnings(Map.of(name, "anything"))).hasSize(1);
    }

    /** The memory about names has few places, which names share. */
    @Test
    void judgesEachNameByItselfHoweverManyThereAre() {
        for (int round = 0; round < 2; round++) {
            for (int i = 0; i < 2_000; i++) {
                assertThat(VolatileFields.warnings(Map.of("field" + i, "anything")))
                        .isEmpty();
                assertThat(VolatileFields.warnings(Map.of("timestamp", "anything")))
                        .hasSize(1);
            }
        }
    }

    @Test
    void namesThePathAndWhatToDo() {
        Object identity = Map.of("items", List.of(1, Map.of("meta", Map.of("request_id", "r-1"))));

        assertThat(VolatileFields.warnings(identity))
                .containsExactly("$.items[1].meta.request_id is named for something that changes with every try, so a"
                        + " retry would get another key; leave it out of the identity, or give a key");
    }

    @Test
    void quotesNamesThatCouldForgeALogLine() {
        assertThat(VolatileFields.warnings(Map.of("a\nb", Map.of("ts", 1))).get(0))
                .startsWith("$[\"a\\nb\"].ts is");
    }

    @Test
    void warnsOfRandomUuidsUnderBareNamesOnly() {
        assertThat(VolatileFields.warnings(Map.of("id", RANDOM_V4))).hasSize(1);
        assertThat(VolatileFields.warnings(Map.of("uuid", UUID.fromString(RANDOM_V7))))
                .hasSize(1);
        assertThat(VolatileFields.warnings(Map.of("message_id", RANDOM_V4.toUpperCase(Locale.ROOT))))
                .hasSize(1);

        assertThat(VolatileFields.warnings(Map.of("id", NAMED_V5))).isEmpty();
        assertThat(VolatileFields.warnings(Map.of("id", "order-1"))).isEmpty();
        assertThat(VolatileFields.warnings(Map.of("customer_id", RANDOM_V4))).isEmpty();
        assertThat(VolatileFields.warnings(Map.of("message_id", "<a@example.com>")))
                .isEmpty();
    }

    @Test
    void warnsOfMomentsUnderNamesThatSuggestTime() {
        for (Object moment : List.of(
                1_767_225_600L,
                1_767_225_600_123L,
                1_767_225_600.5,
                Instant.parse("2026-01-02T03:04:05Z"),
                "2026-01-02T03:04:05.123+01:00")) {
            assertThat(VolatileFields.warnings(Map.of("time", moment)))
                    .as("%s", moment)
                    .hasSize(1);
            assertThat(VolatileFields.warnings(Map.of("started_at", moment))).hasSize(1);
            assertThat(VolatileFields.warnings(Map.of("customer", moment))).isEmpty();
        }
    }

    @Test
    void leavesAppointmentsAndDatesAlone() {
        Object identity = Map.of(
                "time", "09:30",
                "date", "2026-01-02",
                "start_time", "2026-01-02T09:30:00Z",
                "timeout", 30,
                "format", "pdf",
                "when", "2026-99-99T09:30:01Z");

        assertThat(VolatileFields.warnings(identity)).isEmpty();
    }

    @Test
    void warnsOfAModelsToolCallIdUnderAnyName() {
        assertThat(VolatileFields.warnings(Map.of("ref", "toolu_01A09q90qw90lq917835lq9")))
                .hasSize(1);
        assertThat(VolatileFields.warnings(Map.of("ref", "call_DdmO9pD3xa9XTPNJ32zg2hcA")))
                .hasSize(1);
        assertThat(VolatileFields.warnings(Map.of("ref", "call_me"))).isEmpty();
    }

    @Test
    void looksIntoRecordsAndFindsNothingInPlainValues() {
        record Order(String customer, long timestamp) {}

        assertThat(VolatileFields.warnings(new Order("c", 1))).hasSize(1);
        assertThat(VolatileFields.warnings(null)).isEmpty();
        assertThat(VolatileFields.warnings("timestamp")).isEmpty();
        assertThat(VolatileFields.warnings(Map.of("customer", "cus_1", "cents", 4200, "to", "a@b.c")))
                .isEmpty();
    }
}
