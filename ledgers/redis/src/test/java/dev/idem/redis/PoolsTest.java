package dev.idem.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.idem.LedgerUnavailableException;
import dev.idem.lab.RedisProcess;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import redis.clients.jedis.Protocol;
import redis.clients.jedis.exceptions.JedisException;

/** Connections are used again only when nothing is left to be read from them. */
class PoolsTest {
    @TempDir
    static Path folder;

    private static RedisProcess redis;

    private RedisOptions options;
    private SingleNode node;

    @BeforeAll
    static void start() {
        redis = RedisProcess.start(RedisProcess.bundled(folder), folder);
    }

    @AfterAll
    static void stop() {
        if (redis != null) {
            redis.close();
        }
    }

    @BeforeEach
    void open() {
        options = Fixtures.options(redis).withConnections(1).withTimeout(Duration.ofMillis(500));
        node = new SingleNode(options);
    }

    @AfterEach
    void close() {
        node.close();
    }

    private String echo(String text) {
        return node.at("", (connection, asking) -> {
            connection.sendCommand(Protocol.Command.ECHO, text);
            return new String((byte[]) connection.getOne(), StandardCharsets.US_ASCII);
        });
    }

    @Test
    void anAnswerThatNobodyReadIsNotTakenForTheNextOne() {
        assertThatThrownBy(() -> node.at("", (connection, asking) -> {
                    connection.sendCommand(Protocol.Command.ECHO, "first");
                    throw new IllegalStateException("before the answer");
                }))
                .isInstanceOf(IllegalStateException.class);
        assertThat(echo("second")).isEqualTo("second");
    }

    @Test
    void aRefusalByTheServerLeavesTheConnectionAsItIs() {
        String id = id();
        assertThatThrownBy(() -> node.at("", (connection, asking) -> {
                    connection.sendCommand(Protocol.Command.GET, "one", "too many");
                    return connection.getOne();
                }))
                .isInstanceOf(JedisException.class);
        assertThat(id()).isEqualTo(id);
    }

    private String id() {
        return node.at("", (connection, asking) -> {
            connection.sendCommand(Protocol.Command.CLIENT, "ID");
            return String.valueOf(connection.getOne());
        });
    }

    @Test
    void whenAllConnectionsAreInUseItIsSaidThatNothingWasSent() {
        node.at("", (connection, asking) -> {
            assertThatThrownBy(() -> echo("late"))
                    .isInstanceOfSatisfying(
                            JedisException.class,
                            e -> assertThat(new RedisErrors(options).of(e))
                                    .isInstanceOf(LedgerUnavailableException.class)
                                    .hasMessageContaining("Nothing was sent")
                                    .hasMessageContaining("?connections="));
            return connection.ping();
        });
    }

    @Test
    void oneWhoIsInterruptedWhileWaitingForAConnectionStaysSo() {
        node.at("", (connection, asking) -> {
            Thread.currentThread().interrupt();
            assertThatThrownBy(() -> echo("never")).isInstanceOf(JedisException.class);
            assertThat(Thread.interrupted()).isTrue();
            return connection.ping();
        });
    }
}
