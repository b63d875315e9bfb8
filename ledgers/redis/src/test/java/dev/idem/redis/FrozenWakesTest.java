package dev.idem.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idem.Address;
import dev.idem.lab.RedisProcess;
import dev.idem.spi.Awaitable.Watch;
import dev.idem.spi.Watches;
import dev.idem.testkit.Until;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import redis.clients.jedis.Connection;

/**
 * The connection that listens freezes, as behind a firewall that forgets idle flows: whoever waits next has it made
 * again, and nobody is stuck.
 */
@Timeout(value = 20, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class FrozenWakesTest {
    @TempDir
    static Path folder;

    private static RedisProcess redis;

    private Freezer lines;
    private Wakes wakes;

    @BeforeAll
    static void start() {
        redis = RedisProcess.start(RedisProcess.bundled(folder), folder);
    }

    @AfterAll
    static void stop() {
        if (redis != null) {
            redis.close();
        }
    }

    @BeforeEach
    void listen() {
        lines = new Freezer(redis.host());
        wakes = new Wakes(new Listening(lines), new Keys("idem:"), new Watches(), "idem:");
    }

    @AfterEach
    void close() throws Exception {
        lines.close();
        wakes.close();
    }

    @Test
    void theNextWatcherHasItMadeAgainAndBothAreWoken() {
        AtomicInteger earlier = new AtomicInteger();
        AtomicInteger later = new AtomicInteger();
        try (Watch first = wakes.watch(Fixtures.address("first"), earlier::incrementAndGet)) {
            assertThat(first).isNotNull();
            lines.freeze();
            try (Watch second = wakes.watch(Fixtures.address("second"), later::incrementAndGet)) {
                assertThat(second).isNotNull();
                Until.isTrue("there is another connection", () -> lines.made() == 2);
                Until.isTrue("who missed something is woken", () -> earlier.get() > 0 && later.get() > 0);
                Until.isTrue("the first channel is listened to", () -> told("first") == 1);
                Until.isTrue("the second channel is listened to", () -> told("second") == 1);
                int seen = later.get();
                told("second");
                Until.isTrue("woken by a change", () -> later.get() > seen);
            }
        }
        assertThat(lines.made()).isEqualTo(2);
    }

    /** How many were told of a change. */
    private static long told(String key) {
        return redis.admin(jedis -> jedis.publish(Fixtures.name(key), ""));
    }

    @Test
    void oneWhoComesWhileAnotherIsStuckFreesBoth() throws Exception {
        try (Watch first = watch("first")) {
            assertThat(first).isNotNull();
            lines.jam();
            Thread stuck = new Thread(() -> watch("stuck"));
            stuck.start();
            Until.isTrue("it waits to write", () -> lines.stuck() == 1);
            try (Watch second = watch("second")) {
                assertThat(second).isNotNull();
                stuck.join();
                Until.isTrue("there is another connection", () -> lines.made() == 2);
            }
        }
    }

    @Test
    void closingDoesNotWaitForOneWhoIsStuck() throws Exception {
        try (Watch first = watch("first")) {
            assertThat(first).isNotNull();
            lines.jam();
            Thread stuck = new Thread(() -> watch("stuck"));
            stuck.start();
            Until.isTrue("it waits to write", () -> lines.stuck() == 1);
            wakes.close();
            stuck.join();
        }
        assertThat(lines.made()).isEqualTo(1);
    }

    private Watch watch(String key) {
        Address address = Fixtures.address(key);
        return wakes.watch(address, () -> {});
    }

    /** Nothing but connections to listen on. */
    private record Listening(Freezer lines) implements Nodes {
        @Override
        public Connection apart() {
            return new Connection(lines);
        }

        @Override
        public <T> T holding(byte[] key, Work<T> work) {
            throw new UnsupportedOperationException();
        }

        @Override
        public String holder(byte[] key) {
            throw new UnsupportedOperationException();
        }

        @Override
        public List<String> masters() {
            throw new UnsupportedOperationException();
        }

        @Override
        public <T> T at(String master, Work<T> work) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void close() {}
    }
}
