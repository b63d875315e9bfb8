package dev.idem.redis;

import dev.idem.lab.RedisProcess;
import dev.idem.spi.EntryStore;
import dev.idem.spi.LedgerContext;
import dev.idem.testkit.SettableClocks;
import dev.idem.testkit.store.StoreContract;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import redis.clients.jedis.Jedis;

/** The rows in Redis are those of any store. */
class RedisStoreTest extends StoreContract {
    @TempDir
    static Path folder;

    private static RedisProcess redis;

    private TestTime time;

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
    protected SettableClocks clocks() {
        time = new TestTime();
        return SettableClocks.wallOnly().followedBy(time::set);
    }

    @Override
    protected EntryStore open(LedgerContext context) {
        redis.admin(Jedis::flushAll);
        return RedisStore.open(Fixtures.options(redis), time.clock());
    }
}
