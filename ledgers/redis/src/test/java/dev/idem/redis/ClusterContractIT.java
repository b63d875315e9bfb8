package dev.idem.redis;

import dev.idem.testkit.LedgerContract;
import dev.idem.testkit.LedgerFixture;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

/** The Redis ledger keeps every promise a ledger makes, on a cluster of three masters and three replicas. */
class ClusterContractIT extends LedgerContract {
    @TempDir
    static Path folder;

    private static RedisCluster redis;

    @BeforeAll
    static void start() {
        redis = RedisCluster.start(RedisBinary.bundled(folder), folder);
    }

    @AfterAll
    static void stop() {
        if (redis != null) {
            redis.close();
        }
    }

    @Override
    protected LedgerFixture fixture() {
        return redis.fixture();
    }
}
