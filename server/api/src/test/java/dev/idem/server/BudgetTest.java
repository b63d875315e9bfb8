package dev.idem.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
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
