package dev.idem.benchmarks;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.params.SetParams;

/**
 * The two floors under the Redis ledger, each through one bare connection. Hand-written: the ledger's own script, with
 * arguments that were made once. Naive: SET NX, then SET.
 */
final class BareRedis implements AutoCloseable {
    private static final byte[] RESULT = bytes("r".repeat(40));
    private static final byte[][] CLAIMING =
            arguments("-", "", "in_progress", "00000000000000aa", "yes", "claimed", "30000000", "", "", document(""));
    private static final byte[][] SETTLING = arguments(
            "00000000000000aa",
            "",
            "complete",
            "00000000000000bb",
            "no",
            "settled",
            "",
            "604800000000",
            "608400000",
            document(",\"ending\":\"completed\",\"media\":\"application/json\",\"codec\":\"json\",\"keep\":604800"),
            "r".repeat(40));
    private static final SetParams CLAIM = SetParams.setParams().nx().px(30_000);
    private static final SetParams KEEP = SetParams.setParams().px(604_800_000);

    private final Jedis jedis;
    private final byte[] write;

    BareRedis(RedisServer server) throws IOException {
        jedis = new Jedis("127.0.0.1", server.port());
        write = bytes(jedis.scriptLoad(resource("time.lua") + resource("write.lua")));
    }

    /** About as long as the document of a first call. */
    private static String document(String ending) {
        return "{\"v\":1,\"identity\":\"" + "i".repeat(64) + "\",\"attempt_id\":\"" + "a".repeat(32)
                + "\",\"owner\":\"host/12345\",\"host\":\"" + "h".repeat(40)
                + "\",\"pid\":12345,\"start\":1234567,\"time_limit\":300" + ending + "}";
    }

    private static byte[][] arguments(String... words) {
        return Arrays.stream(words).map(BareRedis::bytes).toArray(byte[][]::new);
    }

    private Object write(byte[] key, byte[][] arguments) {
        byte[][] all = new byte[arguments.length + 1][];
        all[0] = key;
        System.arraycopy(arguments, 0, all, 1, arguments.length);
        return jedis.evalsha(write, 1, all);
    }

    /** The ledger's two steps of a first call. */
    void runByHand(byte[] key) {
        write(key, CLAIMING);
        write(key, SETTLING);
    }

    /** The ledger's one step of a replay. */
    Object replayByHand(byte[] key) {
        return write(key, CLAIMING);
    }

    void runNaively(byte[] key) {
        jedis.set(key, RESULT, CLAIM);
        jedis.set(key, RESULT, KEEP);
    }

    /** A naive duplicate: it is refused the key, and reads the result. */
    byte[] replayNaively(byte[] key) {
        return jedis.get(key);
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
