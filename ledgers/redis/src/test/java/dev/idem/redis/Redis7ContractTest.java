package dev.idem.redis;

import dev.idem.lab.RedisProcess;
import dev.idem.testkit.LedgerFixture;
import dev.idem.testkit.contract.LedgerContract;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;

/** The Redis ledger keeps every promise a ledger makes, on the Redis of the system. */
@Tag("proof")
class Redis7ContractTest extends LedgerContract {
    @TempDir
    static Path folder;

    private static RedisProcess redis;

    @BeforeAll
    static void start() {
        redis = RedisProcess.start(RedisBinary.ofSystem(), folder);
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
