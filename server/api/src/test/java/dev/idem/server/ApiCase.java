package dev.idem.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idem.Json;
import dev.idem.spi.Host;
import dev.idem.spi.Ledger;
import dev.idem.spi.Ledgers;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** Requests to a server on a ledger in a file. */
abstract class ApiCase {
    static final Caller CALLER = Caller.local("ann", () -> true, true);

    @TempDir
    Path folder;

    Ledger ledger;
    Api api;

    @BeforeEach
    void start() {
        ledger = Ledgers.open(url());
        api = new Api(ledger, url(), Host.system(), "1");
    }

    String url() {
        return "sqlite:" + folder.resolve("idem.db");
    }

    @AfterEach
    void close() {
        api.close();
        ledger.close();
    }

    /** A server in another process takes the place of the one before. */
    void restart() {
        close();
        start();
    }

    /** The answer to a request whose JSON may have single quotes. */
    Map<String, @Nullable Object> call(String method, String params) {
        return json(api.call(method, params.replace('\'', '"'), CALLER));
    }

    @SuppressWarnings("unchecked")
    static Map<String, @Nullable Object> json(String text) {
        return (Map<String, @Nullable Object>) Json.parse(text);
    }

    /** A claim of the key {@code k} with more members. */
    Map<String, @Nullable Object> claim(String more) {
        return claim(id(), more);
    }

    Map<String, @Nullable Object> claim(String id, String more) {
        return call("claim", claimOf(id, more));
    }

    static String claimOf(String id, String more) {
        return "{'operation':'charge','key':'k','attempt_id':'" + id + "'" + more + "}";
    }

    Map<String, @Nullable Object> granted(String more) {
        Map<String, @Nullable Object> answer = claim(more);
        assertThat(answer).containsEntry("answer", "granted");
        return answer;
    }

    Map<String, @Nullable Object> settle(Map<String, @Nullable Object> granted, String more) {
        return call("settle", "{'ticket':'" + granted.get("ticket") + "'," + more + "}");
    }

    static String id() {
        byte[] random = new byte[16];
        ThreadLocalRandom.current().nextBytes(random);
        return HexFormat.of().formatHex(random);
    }

    /** The words of an error. */
    String refusal(String method, String params) {
        try {
            return "answered: " + call(method, params);
        } catch (ApiException e) {
            return e.error().word() + ": " + e.getMessage();
        }
    }

    static Map<String, @Nullable Object> of(Object... names) {
        Map<String, @Nullable Object> map = new LinkedHashMap<>();
        for (int i = 0; i < names.length; i += 2) {
            map.put((String) names[i], names[i + 1]);
        }
        return map;
    }
}
