package dev.idem.gauntlet;

import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import redis.clients.jedis.RedisClient;
import redis.clients.jedis.params.SetParams;

/**
 * A floor: {@code SET NX} with an expiry, run, {@code SET}; a duplicate reads the value. The key is deleted on any
 * exception.
 */
final class NaiveRedis implements Contender {
    private static final String RUNNING = "r";
    private static final SetParams CLAIM = SetParams.setParams().nx().px(30_000);
    private static final SetParams KEEP = SetParams.setParams().px(604_800_000);

    private final RedisClient redis;
    private final String prefix;

    NaiveRedis(int port, Path folder) {
        redis = RedisClient.create("127.0.0.1", port);
        prefix = Postgresql.schema(folder) + ':';
    }

    @Override
    public String name() {
        return "bare key";
    }

    @Override
    public String store() {
        return "Redis";
    }

    @Override
    public String configuration() {
        return "SET NX PX, run, SET; GET for a duplicate; DEL on any exception";
    }

    @Override
    public Set<Offer> offers() {
        return Set.of(Offer.REPLAY, Offer.DURABLE);
    }

    @Override
    public Answer call(String operation, String key, Map<String, Object> payload, Work work) {
        String name = prefix + operation + '/' + key;
        if (redis.set(name, RUNNING, CLAIM) == null) {
            String found = redis.get(name);
            return found == null || found.equals(RUNNING)
                    ? new Answer.Refused(new IllegalStateException("in progress"))
                    : new Answer.Value(found.equals("n") ? null : found.substring(1));
        }
        try {
            String value = work.run();
            redis.set(name, value == null ? "n" : "v" + value, KEEP);
            return new Answer.Value(value);
        } catch (RuntimeException e) {
            redis.del(name);
            return new Answer.Refused(e);
        }
    }

    @Override
    public void close() {
        redis.close();
    }
}
