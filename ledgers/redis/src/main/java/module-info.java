/** The ledger in Redis. */
@SuppressWarnings("requires-automatic") // Jedis names its module only in its manifest
module dev.idem.redis {
    requires transitive dev.idem.core;
    requires org.apache.commons.pool2;
    requires redis.clients.jedis;
    requires static org.jspecify;

    exports dev.idem.redis;

    provides dev.idem.spi.LedgerProvider with
            dev.idem.redis.RedisLedgerProvider,
            dev.idem.redis.TlsRedisLedgerProvider;
}
