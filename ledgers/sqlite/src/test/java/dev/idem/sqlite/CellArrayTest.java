package dev.idem.sqlite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.idem.entry.AttemptId;
import dev.idem.error.LedgerUnreadableException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class CellArrayTest {
    @Test
    void cells_are_read_in_order() {
        CellArray cells =
                new CellArray("[1,\"two\",null,null,-9223372036854775808,\"\",\"a,\\\"b\\\\\",\"\\u0000\\u00e9\"]");

        assertThat(cells.number()).isEqualTo(1);
        assertThat(cells.text()).isEqualTo("two");
        assertThat(cells.textOrNull()).isNull();
        assertThat(cells.numberOrNull()).isNull();
        assertThat(cells.numberOrNull()).isEqualTo(Long.MIN_VALUE);
        assertThat(cells.text()).isEmpty();
        assertThat(cells.text()).isEqualTo("a,\"b\\");
        assertThat(cells.text()).isEqualTo("\u0000é");
    }

    @Test
    void arrays_are_read_one_behind_the_other() {
        CellArray cells = new CellArray("[1,\"]\"][null,\"two\"][3]");

        assertThat(cells.number()).isEqualTo(1);
        assertThatThrownBy(cells::nextArray).isInstanceOf(IllegalArgumentException.class);
        assertThat(cells.text()).isEqualTo("]");
        assertThat(cells.nextArray()).isTrue();
        assertThat(cells.textOrNull()).isNull();
        assertThat(cells.text()).isEqualTo("two");
        assertThat(cells.nextArray()).isTrue();
        assertThat(cells.number()).isEqualTo(3);
        assertThat(cells.nextArray()).isFalse();
    }

    @Test
    void what_is_written_is_read() {
        String odd = "a\"b\\c\n\u0000\u007fé\uD83D\uDE00[],";
        CellArray cells = new CellArray(written(odd, Long.MIN_VALUE, null, null, "", 7L, "plain"));

        assertThat(cells.text()).isEqualTo(odd);
        assertThat(cells.number()).isEqualTo(Long.MIN_VALUE);
        assertThat(cells.numberOrNull()).isNull();
        assertThat(cells.textOrNull()).isNull();
        assertThat(cells.text()).isEmpty();
        assertThat(cells.numberOrNull()).isEqualTo(7);
        assertThat(cells.text()).isEqualTo("plain");
        assertThat(cells.nextArray()).isFalse();
    }

    @Test
    void what_is_no_entry_is_unreadable_and_never_absent() {
        assertThatThrownBy(() -> RowReader.read("[17,\"k\"", null))
                .isInstanceOf(LedgerUnreadableException.class)
                .hasMessageContaining("the entry with fence 17 can't be read")
                .hasMessageContaining("restore the ledger from a copy");
        assertThatThrownBy(() -> RowReader.read("{}", null)).isInstanceOf(LedgerUnreadableException.class);
        assertThatThrownBy(() -> RowReader.read("[17,\"k\",\"o\",\"s\",\"asleep\",0,1]", null))
                .isInstanceOf(LedgerUnreadableException.class)
                .hasMessageContaining("'asleep' is no state");
        assertThatThrownBy(() -> RowReader.read("[17,\"k\",\"o\",\"s\",\"complete\",0,1]", null))
                .isInstanceOf(LedgerUnreadableException.class)
                .hasMessageContaining("its attempt is missing");
    }

    @Test
    void nulls_at_the_end_are_left_out() {
        assertThat(written(2L, null, null)).isEqualTo("[2]");
        assertThat(written(null, 0L, null)).isEqualTo("[null,0]");
        assertThat(written(null, null)).isEqualTo("[null]");
    }

    @Test
    void a_writer_begins_anew_with_nothing_of_before() {
        CellWriter writer = new CellWriter();
        writer.array("x".repeat(5_000), 1L);

        assertThat(new String(writer.array("y"), StandardCharsets.UTF_8)).isEqualTo("[\"y\"]");
    }

    @Test
    void texts_of_any_length_are_written_whole() {
        for (int length = 0; length < 3_000; length += 7) {
            for (String letter : new String[] {"a", "é", "\n", "\uD83D\uDE00", "\uD83D"}) {
                String text = letter.repeat(length);
                String expected = letter.equals("\uD83D") ? "?".repeat(length) : text;
                CellArray cells = new CellArray(written((long) length, text, new AttemptId(-1, 0x1a)));

                assertThat(cells.number()).isEqualTo(length);
                assertThat(cells.text()).isEqualTo(expected);
                assertThat(cells.text()).isEqualTo("ffffffffffffffff000000000000001a");
            }
        }
    }

    @Test
    void numbers_of_any_length_are_written_whole() {
        for (long power = 1; power > 0; power *= 10) {
            for (long number : new long[] {power - 1, power, power + 1, -power, Long.MAX_VALUE - power}) {
                assertThat(written(number)).isEqualTo("[" + number + "]");
            }
        }
    }

    @Test
    void times_are_written_as_microseconds() {
        assertThat(written(Instant.parse("2026-03-01T12:00:01.123456Z"), Duration.ofMillis(-1), Instant.EPOCH))
                .isEqualTo("[1772366401123456,-1000,0]");
    }

    @Test
    void what_is_no_cell_is_refused() {
        assertThatThrownBy(() -> written(1)).isInstanceOf(IllegalArgumentException.class);
    }

    private static String written(@Nullable Object... cells) {
        return new String(new CellWriter().array(cells), StandardCharsets.UTF_8);
    }
}
