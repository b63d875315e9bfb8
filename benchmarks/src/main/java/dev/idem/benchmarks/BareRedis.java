package dev.idem.benchmarks;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.params.SetParams;

/**
 * The two floors under the Redis ledger, each through one bare connection. Hand-written: the ledger's own scripts, with
 * arguments that were made once. Naive: SET NX, then SET.
 */
final class BareRedis implements AutoCloseable {
    private static final byte[] ENTRY = bytes("0000000030000000" + "0000000300000000" + "0000000001" + "00" + "000035"
            + "000000" + "000128" + "000000" + "1" + "i".repeat(32) + "hn" + "o".repeat(128));
    private static final byte[] NO_TAKE_OVER = bytes("N");
    private static final byte[] NO_GRACE = bytes("0");
    private static final byte[] COMPLETED = bytes("C");
    private static final byte[] ENDED = bytes("0000604800000000" + "0000000000000000" + "00000040");
    private static final byte[] RESULT = bytes("r".repeat(40));
    private static final byte[] TIME_TO_LIVE = bytes("608400000");
    private static final int FENCE = 17;
    private static final SetParams CLAIM = SetParams.setParams().nx().px(30_000);
    private static final SetParams KEEP = SetParams.setParams().px(604_800_000);

    private final Jedis jedis;
    private final byte[] claim;
    private final byte[] settle;

    BareRedis(RedisServer server) throws IOException {
        jedis = new Jedis("127.0.0.1", server.port());
        claim = jedis.scriptLoad(script("claim.lua")).getBytes(StandardCharsets.US_ASCII);
        settle = jedis.scriptLoad(script("settle.lua")).getBytes(StandardCharsets.US_ASCII);
    }

    /** The ledger's two steps of a first call. */
    void runByHand(byte[] key) {
        byte[] granted = (byte[]) jedis.evalsha(claim, 1, key, ENTRY, NO_TAKE_OVER, NO_GRACE);
        byte[] fence = Arrays.copyOfRange(granted, FENCE, FENCE + 16);
        jedis.evalsha(settle, 1, key, fence, COMPLETED, ENDED, RESULT, TIME_TO_LIVE);
    }

    /** The ledger's one step of a replay. */
    byte[] replayByHand(byte[] key) {
        return (byte[]) jedis.evalsha(claim, 1, key, ENTRY, NO_TAKE_OVER, NO_GRACE);
    }

    void runNaively(byte[] key) {
        jedis.set(key, NO_TAKE_OVER, CLAIM);
        jedis.set(key, RESULT, KEEP);
    }

    /** What a naive duplicate does: it is refused the key, and reads the result. */
    byte[] replayNaively(byte[] key) {
        return jedis.get(key);
    }

    private static String script(String name) throws IOException {
        String text = resource("time.lua") + resource(name);
        int include = text.indexOf("-- include lapse.lua");
        return include < 0 ? text : text.substring(0, include) + resource("lapse.lua") + text.substring(include);
    }

    private static String resource(String name) throws IOException {
        try (InputStream in = BareRedis.class.getResourceAsStream("/dev/idem/redis/" + name)) {
            if (in == null) {
                throw new IOException("the script " + name + " is not on the class path");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    @Override
    public void close() {
        jedis.close();
    }
}
