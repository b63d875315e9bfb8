package dev.idem.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectMethod;

import dev.idem.spi.store.MemoryLedger;
import java.util.List;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;

class QuietLogTest {
    private static final String WARNING = "a warning that a hazard causes on purpose";

    /** A contract printed thousands of lines, and its failures were lost among them. */
    @Test
    void theWarningsOfHazardsStayOffTheConsole() {
        try (LogLines console = LogLines.of("");
                LogLines engine = LogLines.of("dev.idem")) {
            KitRun run = KitRun.of(selectMethod(LoudHazards.class, "warns"), "unused", "");
            assertThat(run.passed()).containsExactly("warns");
            assertThat(console.warnings()).doesNotContain(WARNING);
            assertThat(engine.warnings()).as("what a test listens to").contains(WARNING);
        }
    }

    @Test
    void theLastOfManyTurnsTheLinesOnAgain() {
        // Not below dev.idem, which other test classes may keep quiet at this moment.
        Logger logger = Logger.getLogger("quiet-log-test");
        QuietLog quiet = new QuietLog(logger);
        try (LogLines console = LogLines.of("")) {
            quiet.begin();
            quiet.begin();
            quiet.end();
            logger.warning("one is still at work");
            quiet.end();
            logger.warning("all are done");
            assertThat(console.warnings())
                    .filteredOn(List.of("one is still at work", "all are done")::contains)
                    .containsExactly("all are done");
        }
    }

    /** A hazard; never run by itself. */
    static class LoudHazards extends EngineCase {
        @Override
        protected LedgerFixture fixture() {
            return LedgerFixture.of(MemoryLedger::new);
        }

        @Test
        void warns() {
            Logger.getLogger("dev.idem").warning(WARNING);
        }
    }
}
