package dev.idem.gauntlet;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import redis.clients.jedis.RedisClient;

/** A floor for times alone: Idem's own two scripts, sent through a pool by hand. It waits for nobody. */
final class HandRedis implements Contender {
    private static final String ENTRY = "0000000030000000" + "0000000300000000" + "0000000001" + "00" + "000035"
            + "000000" + "000128" + "000000" + "1" + "i".repeat(32) + "hn" + "%016x" + "o".repeat(112);
    private static final byte[] NO_TAKE_OVER = bytes("N");
    private static final byte[] NO_GRACE = bytes("0");
    private static final byte[] COMPLETED = bytes("C");
    private static final byte[] TIME_TO_LIVE = bytes("608400000");
    private static final int FENCE = 17;

    private final AtomicLong attempts = new AtomicLong();
    private final RedisClient redis;
    private final String prefix;
    private final byte[] claim;
    private final byte[] settle;

    HandRedis(int port, Path folder) throws IOException {
        redis = RedisClient.create("127.0.0.1", port);
        prefix = Postgresql.schema(folder) + ':';
        claim = bytes(redis.scriptLoad(script("claim.lua"), prefix));
        settle = bytes(redis.scriptLoad(script("settle.lua"), prefix));
    }

    private static String script(String name) throws IOException {
        String text = resource("time.lua") + resource(name);
        int include = text.indexOf("-- include lapse.lua");
        return include < 0 ? text : text.substring(0, include) + resource("lapse.lua") + text.substring(include);
    }

    private static String resource(String name) throws IOException {
        try (InputStream in = HandRedis.class.getResourceAsStream("/dev/idem/redis/" + name)) {
            if (in == null) {
                throw new IOException("the script " + name + " is not on the class path");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    @Override
    public String name() {
        return "by hand";
    }

    @Override
    public String store() {
        return "Redis";
    }

    @Override
    public String configuration() {
        return "Idem's own scripts for claim and settle, sent by the bare driver";
    }

    @Override
    public Set<Offer> offers() {
        return Set.of(Offer.REPLAY, Offer.DURABLE);
    }

    @Override
    public Answer call(String operation, String key, Map<String, Object> payload, Work work) {
        byte[] name = bytes(prefix + operation + '/' + key);
        byte[] entry = bytes(String.format(Locale.ROOT, ENTRY, attempts.incrementAndGet()));
        byte[] found = (byte[]) redis.evalsha(claim, 1, name, entry, NO_TAKE_OVER, NO_GRACE);
        if (found[0] == 'K') {
            // What it holds is not unpacked: its bytes are here, which is what takes time.
            return found[FENCE + 1] == 'C'
                    ? new Answer.Value("done")
                    : new Answer.Refused(new IllegalStateException("in progress"));
        }
        byte[] fence = Arrays.copyOfRange(found, FENCE, FENCE + 16);
        String value = work.run();
        byte[] result = bytes(String.valueOf(value));
        byte[] ended =
                bytes(String.format(Locale.ROOT, "0000604800000000" + "0000000000000000" + "%08d", result.length));
        redis.evalsha(settle, 1, name, fence, COMPLETED, ended, result, TIME_TO_LIVE);
        return new Answer.Value(value);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    @Override
    public void close() {
        redis.close();
    }
}
