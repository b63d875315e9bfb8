package dev.idem.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idem.LedgerUnavailableException;
import dev.idem.LedgerUnreadableException;
import java.util.List;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.exceptions.JedisAskDataException;
import redis.clients.jedis.exceptions.JedisMovedDataException;
import redis.clients.jedis.exceptions.JedisRedirectionException;

/** The reading of an answer that names another node. */
class RedirectionTest {
    private static final HostAndPort ASKED = new HostAndPort("10.0.0.1", 7000);

    @Test
    void withoutAHostItIsAnotherPortOfTheSameHost() {
        assertThat(ClusterNodes.target(moved(""), ASKED)).isEqualTo(new HostAndPort("10.0.0.1", 7001));
        assertThat(ClusterNodes.target(moved("10.0.0.2"), ASKED)).isEqualTo(new HostAndPort("10.0.0.2", 7001));
    }

    @Test
    void oneThatRemainsIsToBeAskedAgainInAClusterAndAnErrorInTheUrlElse() {
        List<JedisRedirectionException> both = List.of(
                moved("10.0.0.2"), new JedisAskDataException("ASK 1 10.0.0.2:7001", new HostAndPort("a", 1), 1));
        RedisOptions single = RedisOptions.at(false, List.of(ASKED));
        RedisOptions cluster = RedisOptions.at(false, List.of(ASKED, new HostAndPort("10.0.0.2", 7001)));
        for (JedisRedirectionException told : both) {
            assertThat(new RedisErrors(single).of(told))
                    .isInstanceOf(LedgerUnreadableException.class)
                    .hasMessageContaining("?cluster=on");
            assertThat(new RedisErrors(cluster).of(told))
                    .isInstanceOf(LedgerUnavailableException.class)
                    .hasMessageContaining("ask again");
        }
    }

    private static JedisMovedDataException moved(String host) {
        return new JedisMovedDataException("MOVED 1 " + host + ":7001", new HostAndPort(host, 7001), 1);
    }
}
