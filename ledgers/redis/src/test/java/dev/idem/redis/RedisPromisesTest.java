package dev.idem.redis;

import dev.idem.lab.RedisProcess;
import dev.idem.testkit.LedgerFixture;
import dev.idem.testkit.contract.Promise;
import dev.idem.testkit.contract.PromiseContract;
import dev.idem.testkit.contract.PromiseTable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import redis.clients.jedis.Jedis;

/** The page on guarantees says of the Redis ledger what it does. */
class RedisPromisesTest extends PromiseContract {
    @TempDir
    static Path folder;

    private static RedisProcess redis;

    private final TestTime time = new TestTime();
    private Instant last = Instant.MAX;

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

    @Override
    protected LedgerFixture fixture() {
        redis.admin(Jedis::flushAll);
        RedisOptions options = RedisOptions.at(false, List.of(redis.host())).withCheck(Check.OFF);
        return LedgerFixture.serverTimed(
                context -> Fixtures.open(options, context, time.clockOfFences()), this::follow);
    }

    /** The server lets go of keys by its own clock: what would be over by the test's is removed by hand. */
    private void follow(Instant now) {
        if (now.isAfter(last)) {
            long passed = Duration.between(last, now).toMillis();
            redis.admin(jedis -> {
                for (String key : jedis.keys("*")) {
                    long left = jedis.pttl(key);
                    if (left >= 0 && left <= passed) {
                        jedis.del(key);
                    } else if (left > passed) {
                        jedis.pexpire(key, left - passed);
                    }
                }
                return passed;
            });
        }
        last = now;
        time.set(now);
    }

    @Override
    protected Map<Promise, Boolean> said() {
        try {
            return PromiseTable.on(Files.readString(Path.of("../../docs/guarantees.md")))
                    .of("redis:");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
