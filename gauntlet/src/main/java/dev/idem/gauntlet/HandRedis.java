package dev.idem.gauntlet;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import redis.clients.jedis.RedisClient;

/** A floor for times only: Idem's own script, sent through a pool by hand. It does not wait for duplicates. */
final class HandRedis implements Contender {
    private static final String DOCUMENT = "{\"v\":1,\"identity\":\"" + "i".repeat(64)
            + "\",\"attempt_id\":\"" + "a".repeat(32) + "\",\"owner\":\"host/12345\",\"host\":\""
            + "h".repeat(40) + "\",\"pid\":12345,\"start\":1234567,\"time_limit\":300}";

    private final AtomicLong attempts = new AtomicLong();
    private final RedisClient redis;
    private final String prefix;
    private final byte[] write;

    HandRedis(int port, Path folder) throws IOException {
        redis = RedisClient.create("127.0.0.1", port);
        prefix = Postgresql.schema(folder) + ':';
        write = bytes(redis.scriptLoad(resource("time.lua") + resource("write.lua"), prefix));
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
        return "Idem's own script for claim and settle, sent by the bare driver";
    }

    @Override
    public Set<Offer> offers() {
        return Set.of(Offer.REPLAY, Offer.DURABLE);
    }

    @Override
    public Answer call(String operation, String key, Map<String, Object> payload, Work work) {
        String name = prefix + operation + '/' + key;
        String version = String.format(Locale.ROOT, "%016x", attempts.incrementAndGet());
        Object answer = write(name, "-", "", "in_progress", version, "yes", "claimed", "30000000", "", "", DOCUMENT);
        if (answer instanceof List<?> found) {
            // The value is not decoded: receiving its bytes is the measured part.
            return ((byte[]) found.get(1))[0] == 'c'
                    ? new Answer.Value("done")
                    : new Answer.Refused(new IllegalStateException("in progress"));
        }
        String value = work.run();
        write(
                name,
                version,
                "",
                "complete",
                String.format(Locale.ROOT, "%016x", attempts.incrementAndGet()),
                "no",
                "settled",
                "",
                "604800000000",
                "608400000",
                DOCUMENT,
                String.valueOf(value));
        return new Answer.Value(value);
    }

    private Object write(String... keyAndArguments) {
        return redis.evalsha(
                write, 1, Arrays.stream(keyAndArguments).map(HandRedis::bytes).toArray(byte[][]::new));
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    @Override
    public void close() {
        redis.close();
    }
}
