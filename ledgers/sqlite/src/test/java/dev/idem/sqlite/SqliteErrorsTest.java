package dev.idem.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idem.LedgerException;
import dev.idem.LedgerUnavailableException;
import dev.idem.LedgerUnreadableException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SqliteErrorsTest {
    private final SqliteErrors errors = new SqliteErrors(Path.of("/x/idem.db"), Duration.ofSeconds(10));

    @ParameterizedTest
    @CsvSource(textBlock = """
                    5,  true,  wait longer with ?busy=60s
                    13, true,  make room and try again
                    8,  false, the file or its folder is read-only
                    14, true,  Check that its folder exists
                    26, false, is not a SQLite database
                    11, false, restore it from a copy
                    18, false, can't hold a value that large
                    10, true,  gave no answer (disk I/O)
                    """)
    void anErrorSaysWhereAndWhatToDo(int code, boolean mayTryAgain, String message) {
        SQLException cause = new SQLException("disk I/O", null, code);
        LedgerException error = errors.of(cause);
        assertThat(error)
                .hasMessageStartingWith("ledger /x/idem.db ")
                .hasMessageContaining(message)
                .hasCause(cause);
        assertThat(error.mayTryAgain()).isEqualTo(mayTryAgain);
        assertThat(error)
                .isInstanceOf(mayTryAgain ? LedgerUnavailableException.class : LedgerUnreadableException.class);
    }

    @Test
    void anErrorOfACommitIsAlwaysToBeAskedAgain() {
        LedgerException error = errors.ofCommit(new SQLException("x", null, 8));
        assertThat(error).isInstanceOf(LedgerUnavailableException.class).hasMessageContaining("ask again");
    }

    @ParameterizedTest
    @CsvSource(textBlock = """
                    5,  false
                    13, false
                    8,  false
                    26, false
                    10, true
                    11, true
                    """)
    void aStatementThatCommitsByItselfHasDoneNothingOrNobodyKnows(int code, boolean unknown) {
        SQLException cause = new SQLException("x", null, code);
        assertThat(errors.ofSingle(cause).getMessage().contains("It is not known"))
                .isEqualTo(unknown);
    }

    @Test
    void whatDoesNotFitWasNotWritten() {
        assertThat(errors.ofCommit(new SQLException("x", null, 13)))
                .hasMessageContaining("Nothing was written")
                .hasMessageNotContaining("It is not known");
    }
}
