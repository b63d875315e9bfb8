package dev.idem.agent.guard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idem.spi.Ledger;
import dev.idem.spi.Ledgers;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The same on a ledger that outlives its process. */
class LedgerCountersOnSqliteTest extends LedgerCountersTest {
    @TempDir
    Path folder;

    @Override
    Ledger open() {
        return Ledgers.open("sqlite:" + folder.resolve("idem.db"));
    }

    @Test
    void whoeverOpensTheFileAgainGoesOnCounting() {
        for (int call = 0; call < 2; call++) {
            try (Ledger process = open()) {
                LoopWatch watch = LoopGuard.standard().countersIn(process).watch("task-9");
                ((AllowedCall) watch.ask("search", "cats")).returned("seven");
            }
        }
        try (Ledger process = open()) {
            assertThat(LoopGuard.standard().countersIn(process).watch("task-9").ask("search", "cats"))
                    .isInstanceOf(StoppedCall.class);
        }
    }
}
