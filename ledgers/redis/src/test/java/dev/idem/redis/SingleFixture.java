package dev.idem.redis;

import dev.idem.lab.RedisProcess;
import dev.idem.testkit.LedgerFixture;
import java.util.List;
import redis.clients.jedis.Jedis;

/** An empty store on a server that tests share one after the other. */
final class SingleFixture {
    private SingleFixture() {}

    static LedgerFixture on(RedisProcess redis) {
        redis.admin(Jedis::flushAll);
        TestTime time = new TestTime();
        RedisOptions options = RedisOptions.at(false, List.of(redis.host())).withCheck(Check.OFF);
        return LedgerFixture.serverTimed(context -> Fixtures.open(options, context, time.clock()), time::set);
    }
}
