package dev.idem.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.idem.error.LedgerUnreadableException;
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
    void what_is_no_entry_is_unreadable_and_never_absent() {
        assertThatThrownBy(() -> EntryReader.read("[17,1,0,null", null))
                .isInstanceOf(LedgerUnreadableException.class)
                .hasMessageContaining("the entry with fence 17 can't be read")
                .hasMessageContaining("restore the ledger from a copy");
        assertThatThrownBy(() -> EntryReader.read("{}", null)).isInstanceOf(LedgerUnreadableException.class);
        assertThatThrownBy(() -> EntryReader.read("[17,1,0,null,null,\"k\",\"o\",\"s\",\"asleep\",1]", null))
                .isInstanceOf(LedgerUnreadableException.class)
                .hasMessageContaining("'asleep' is no state");
    }
}
