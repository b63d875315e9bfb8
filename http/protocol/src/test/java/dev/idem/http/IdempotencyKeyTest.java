package dev.idem.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class IdempotencyKeyTest {
    private static final int ROUNDS = 20_000;

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '\0',
            value = {
                "\"8e03978e-40d5-43e8-bc93-6894a57f9324\" | 8e03978e-40d5-43e8-bc93-6894a57f9324",
                "8e03978e-40d5-43e8-bc93-6894a57f9324 | 8e03978e-40d5-43e8-bc93-6894a57f9324",
                "order/123/refund | order/123/refund",
                "123 | 123",
                "a;b=1 | a;b=1",
                "a\\b | a\\b",
                "\"a b\" | a b",
                "\"a\\\\b\\\"c\" | a\\b\"c",
                "\"a\";x | a",
                "\"a\";x=1;y=\"q;,\\\"\";z=?0;b=:aGk=:;t=tok/en | a",
                "\"a\";  x=1.5 | a",
            })
    void whatIsReadAsAKey(String line, String key) {
        assertThat(IdempotencyKey.parse(List.of(line)).value()).isEqualTo(key);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "   ",
                "\t",
                "\"\"",
                "\" \"",
                "\"",
                "\"a",
                "\"a\\\"",
                "\"a\\",
                "\"a\\n\"",
                "\"a\"b",
                "\"a\" ;x=1",
                "\"a\";",
                "\"a\";X=1",
                "\"a\";x=1, \"b\"",
                "\"a\",\"b\"",
                "a,b",
                "a, b",
                "a b",
                "a\"b",
                "th\u00e9",
                "\"th\u00e9\"",
                "a\u0000",
                "\"a\u007f\"",
                "\u2003",
            })
    void whatIsMalformed(String line) {
        assertThatThrownBy(() -> IdempotencyKey.parse(List.of(line))).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void noneOrSeveralHeaderLinesAreMalformed() {
        assertThatThrownBy(() -> IdempotencyKey.parse(List.of())).hasMessage("there are 0 header lines");
        assertThatThrownBy(() -> IdempotencyKey.parse(List.of("a", "a"))).hasMessage("there are 2 header lines");
    }

    @Test
    void theLimitIsOnTheKeyAndNotOnItsForm() {
        String longest = "\\".repeat(255);

        assertThat(IdempotencyKey.parse(List.of('"' + "\\\\".repeat(255) + "\";v=1"))
                        .value())
                .isEqualTo(longest);
        assertThat(IdempotencyKey.parse(List.of(longest)).value()).isEqualTo(longest);
        assertThatThrownBy(() -> IdempotencyKey.parse(List.of('"' + "\\\\".repeat(256) + '"')))
                .hasMessage("it has more than 255 characters");
        assertThatThrownBy(() -> IdempotencyKey.parse(List.of("k".repeat(256))))
                .hasMessage("it has more than 255 characters");
    }

    /** A pattern that takes a step of the stack for each character would end the thread. */
    @Test
    void aVeryLongLineIsRefusedAndNotAnError() {
        assertThatThrownBy(() -> IdempotencyKey.parse(List.of("\"a\"" + ";x=\"1\"".repeat(200_000))))
                .hasMessage("it has more than 255 characters");
    }

    @Test
    void everyKeyIsTheSameQuotedAndBareAndComesBackInItsForm() {
        Random random = new Random(7);
        for (int round = 0; round < ROUNDS; round++) {
            String value = random.ints(1 + random.nextInt(255), '!', '~' + 1)
                    .filter(c -> c != ',' && c != '"')
                    .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                    .toString();
            if (value.isEmpty()) {
                continue;
            }
            IdempotencyKey bare = IdempotencyKey.parse(List.of(value));
            IdempotencyKey quoted = IdempotencyKey.parse(List.of(new IdempotencyKey(value, true).echo()));

            assertThat(bare.value()).isEqualTo(value).isEqualTo(quoted.value());
            assertThat(IdempotencyKey.parse(List.of(bare.echo()))).isEqualTo(bare);
            assertThat(IdempotencyKey.parse(List.of(quoted.echo()))).isEqualTo(quoted);
        }
    }

    @Test
    void anyTextIsAKeyOrMalformed() {
        Random random = new Random(8);
        String likely = "\"\"\\;=,ab1 \t\u00e9*";
        int keys = 0;
        for (int round = 0; round < ROUNDS; round++) {
            StringBuilder text = new StringBuilder();
            for (int left = random.nextInt(12); left > 0; left--) {
                text.append(likely.charAt(random.nextInt(likely.length())));
            }
            try {
                IdempotencyKey key = IdempotencyKey.parse(List.of(text.toString()));
                keys++;

                assertThat(key.value()).isNotBlank().matches("[ -~]{1,255}");
                assertThat(IdempotencyKey.parse(List.of(key.echo()))).isEqualTo(key);
            } catch (IllegalArgumentException malformed) {
                assertThat(malformed).hasMessageMatching("[ -~]+");
            }
        }
        assertThat(keys).isBetween(ROUNDS / 100, ROUNDS / 2);
    }
}
