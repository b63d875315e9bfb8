package dev.idem.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;

class BudgetTest {
    private final Budget budget = new Budget("things", 4, 2);

    @Test
    void oneClientHasItsShare() {
        Budget.Place first = budget.require("a");
        budget.require("a");
        assertThat(budget.take("a")).isNull();
        budget.require("b");
        first.close();
        first.close();
        budget.require("a");
        assertThat(budget.take("a")).isNull();
        budget.require("b");
        assertThatThrownBy(() -> budget.require("c"))
                .isInstanceOf(ApiException.class)
                .hasMessageContaining("Nothing was done");
    }

    @Test
    void oneClientHasRoomInItsShareOrNot() {
        budget.require("a");
        assertThat(budget.hasShare("a")).isTrue();
        budget.require("a");
        assertThat(budget.hasShare("a")).isFalse();
        assertThat(budget.hasShare("b")).isTrue();
        assertThat(budget.hasShare(null)).isTrue();
    }

    @Test
    void whatIsLargerThanAllIsHadAlone() {
        Budget.Place large = budget.take("a", 100);
        assertThat(large).isNotNull();
        assertThat(budget.take("b", 1)).isNull();
        large.close();
        assertThat(budget.take("b", 1)).isNotNull();
    }

    /** All who took or gave back a place waited for the log of one who got none. */
    @Test
    void aSlowLogHoldsUpNobody() {
        Budget slow = new Budget("things beside a slow log", 2, 1);
        slow.require("a");
        AtomicInteger told = new AtomicInteger();
        Handler log = new Handler() {
            @Override
            public void publish(LogRecord line) {
                if (line.getMessage().contains("things beside a slow log")) {
                    CompletableFuture.runAsync(() -> slow.require("b").close()).join();
                    told.incrementAndGet();
                }
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
        };
        Logger logger = Logger.getLogger(LimitLog.class.getName());
        logger.addHandler(log);
        try {
            assertThat(slow.take("a")).isNull();
            assertThatThrownBy(() -> slow.await("a", 1, Duration.ZERO)).isInstanceOf(ApiException.class);
        } finally {
            logger.removeHandler(log);
        }
        assertThat(told).hasValue(1);
    }

    @Test
    void aPartCanBeGivenBack() {
        Budget.Place all = budget.require("a", 2);
        all.keep(3);
        assertThat(budget.take("a")).isNull();
        all.keep(1);
        all.keep(1);
        Budget.Place second = budget.require("a");
        assertThat(budget.take("a")).isNull();
        all.close();
        all.keep(1);
        second.close();
        assertThat(budget.take("a", 2)).isNotNull();
    }

    @Test
    void aClientWaitsForItsOwnPlace() throws InterruptedException {
        Budget.Place first = budget.require("a");
        budget.require("a");
        budget.await("b", 1, Duration.ZERO);
        CompletableFuture<Budget.Place> waiting = CompletableFuture.supplyAsync(() -> {
            try {
                return budget.await("a", 1, Duration.ofMinutes(1));
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        });
        first.close();
        assertThat(waiting.join()).isNotNull();
        assertThatThrownBy(() -> budget.await("a", 1, Duration.ofMillis(1))).isInstanceOf(ApiException.class);
    }
}
