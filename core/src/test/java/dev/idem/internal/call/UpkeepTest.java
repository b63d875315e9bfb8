package dev.idem.internal.call;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idem.LedgerUnreadableException;
import dev.idem.spi.ForwardingLedger;
import dev.idem.spi.Ledger;
import dev.idem.spi.Ledgers;
import dev.idem.spi.browse.Browsable;
import dev.idem.spi.browse.Page;
import dev.idem.spi.browse.Query;
import dev.idem.spi.browse.Stats;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;

class UpkeepTest {
    private static final String WHY = "this token may not purge";

    /** A ledger may never allow a purge; each try would fill the log. */
    @Test
    void aPurgeThatIsRefusedAgainAndAgainIsToldOnce() throws InterruptedException {
        List<LogRecord> told = new CopyOnWriteArrayList<>();
        Handler handler = new Handler() {
            @Override
            public void publish(LogRecord record) {
                if (record.getMessage().endsWith(WHY)) {
                    told.add(record);
                }
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
        };
        Logger logger = Logger.getLogger("dev.idem");
        logger.addHandler(handler);
        CountDownLatch tries = new CountDownLatch(5);
        try (Ledger ledger = new Unpurgeable(tries);
                Upkeep upkeep = new Upkeep(ledger, Duration.ofMillis(1))) {
            upkeep.start();
            assertThat(tries.await(60, TimeUnit.SECONDS)).isTrue();
        } finally {
            logger.removeHandler(handler);
        }
        assertThat(told).hasSize(1);
    }

    private static final class Unpurgeable extends ForwardingLedger implements Browsable {
        private final CountDownLatch tries;

        Unpurgeable(CountDownLatch tries) {
            super(Ledgers.open("memory:"));
            this.tries = tries;
        }

        @Override
        public <C> Optional<C> as(Class<C> capability) {
            return capability == Browsable.class ? Optional.of(capability.cast(this)) : super.as(capability);
        }

        @Override
        public Page browse(Query query) {
            throw new UnsupportedOperationException();
        }

        @Override
        public int purge(int limit) {
            tries.countDown();
            throw new LedgerUnreadableException(WHY, null);
        }

        @Override
        public Stats stats() {
            throw new UnsupportedOperationException();
        }
    }
}
