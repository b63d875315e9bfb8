package dev.idem.redis;

import dev.idem.lab.RedisProcess;
import dev.idem.testkit.LedgerFixture;
import dev.idem.testkit.hazard.HazardContract;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

/** The hazards of other libraries, on the Redis ledger and Redis 6.2. */
class RedisHazardsTest extends HazardContract {
    @TempDir
    static Path folder;

    private static RedisProcess redis;

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
        return SingleFixture.on(redis);
    }
}
