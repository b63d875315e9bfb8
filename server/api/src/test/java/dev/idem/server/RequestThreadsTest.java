package dev.idem.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.idem.testkit.Until;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class RequestThreadsTest {
    private static final int CROWD = 300;

    private final RequestThreads threads = new RequestThreads();
    private final CountDownLatch end = new CountDownLatch(1);

    @AfterEach
    void end() throws InterruptedException {
        end.countDown();
        threads.end(Duration.ofMinutes(1));
    }

    private boolean isTaken(String client) {
        try {
            threads.execute(client, () -> {
                try {
                    end.await();
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
            });
            return true;
        } catch (ApiException e) {
            assertThat(e.error()).isEqualTo(ApiError.BUSY);
            return false;
        }
    }

    private int taken(String client) {
        int taken = 0;
        for (int i = 0; i < CROWD; i++) {
            taken += isTaken(client) ? 1 : 0;
        }
        return taken;
    }

    /** A crowd of one token had all threads while it was being refused, and others were refused with it. */
    @Test
    void aCrowdLeavesThreadsToOthers() {
        assertThat(taken("token a")).isEqualTo(192);
        assertThat(taken(RequestThreads.STRANGERS)).isEqualTo(32);
        assertThat(isTaken("token b")).isTrue();
        assertThat(taken(null)).isEqualTo(256 - 192 - 1);
    }

    @Test
    void aThreadIsGivenBackAlsoByAFailure() {
        assertThat(taken("token a")).isLessThan(CROWD);
        end.countDown();
        Until.isTrue("there is room again", () -> isTaken("token a"));
        CountDownLatch failed = new CountDownLatch(CROWD);
        for (int i = 0; i < CROWD; i++) {
            Until.isTrue("there is room", () -> isExecuted("token b", failed));
        }
    }

    private boolean isExecuted(String client, CountDownLatch failed) {
        try {
            threads.execute(client, () -> {
                failed.countDown();
                Thread.currentThread().setUncaughtExceptionHandler((thread, failure) -> {});
                throw new IllegalStateException("as it should");
            });
            return true;
        } catch (ApiException e) {
            return false;
        }
    }

    @Test
    void aServerThatEndsSaysSo() throws InterruptedException {
        threads.end(Duration.ofMinutes(1));
        assertThatThrownBy(() -> threads.execute("token a", () -> {}))
                .isInstanceOf(ApiException.class)
                .hasMessageContaining("ending")
                .hasMessageContaining("Nothing was done");
    }
}
