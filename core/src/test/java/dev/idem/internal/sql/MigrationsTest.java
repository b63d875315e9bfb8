package dev.idem.internal.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.idem.LedgerUnreadableException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class MigrationsTest {
    private static final Migration ONE = Migration.of("001-entries.sql", "CREATE TABLE a (b)");
    private static final Migration TWO = Migration.of("002-more.sql", "CREATE TABLE c (d)");
    private static final Migrations BOTH = new Migrations(List.of(ONE, TWO));

    @Test
    void whatWasNotAppliedIsPendingInOrder() {
        assertThat(BOTH.pending(Map.of(), "ledger x")).containsExactly(ONE, TWO);
        assertThat(BOTH.pending(Map.of(1, ONE.checksum()), "ledger x")).containsExactly(TWO);
        assertThat(BOTH.pending(Map.of(1, ONE.checksum(), 2, TWO.checksum()), "ledger x"))
                .isEmpty();
    }

    @Test
    void aNewerFormatIsRefusedAndSaysToUpgrade() {
        assertThatThrownBy(() -> BOTH.requireKnown(3, "ledger x"))
                .isInstanceOf(LedgerUnreadableException.class)
                .hasMessageContaining("ledger x was written by a newer version of Idem (format 3, this one knows 2)")
                .hasMessageContaining("upgrade");
        assertThatThrownBy(() -> BOTH.pending(Map.of(1, ONE.checksum(), 2, TWO.checksum(), 3, "?"), "ledger x"))
                .hasMessageContaining("newer version");
    }

    @Test
    void aChangedOrMissingStepIsRefused() {
        assertThatThrownBy(() -> BOTH.pending(Map.of(1, "another"), "ledger x"))
                .isInstanceOf(LedgerUnreadableException.class)
                .hasMessageContaining("001-entries.sql was applied with another text");
        assertThatThrownBy(() -> BOTH.pending(Map.of(2, TWO.checksum()), "ledger x"))
                .hasMessageContaining("001-entries.sql was left out");
    }

    @Test
    void stepsCountUpFromOne() {
        assertThatThrownBy(() -> new Migrations(List.of(TWO))).hasMessageContaining("002-more.sql is not number 1");
        assertThatThrownBy(() -> Migration.of("entries.sql", "")).hasMessageContaining("001-entries.sql");
    }
}
