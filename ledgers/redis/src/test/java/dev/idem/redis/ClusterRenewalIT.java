package dev.idem.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idem.lab.RedisProcess;
import dev.idem.spi.GroupRenewing;
import dev.idem.spi.GroupRenewing.Unrenewed;
import dev.idem.spi.Ticket;
import dev.idem.spi.store.StoreLedger;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import redis.clients.jedis.util.JedisClusterCRC16;

/** Heartbeats while one master of three does not answer. */
class ClusterRenewalIT {
    private static final int TICKETS = 60;
    private static final Duration TIMEOUT = Duration.ofSeconds(1);
    /** Several time-outs, but far fewer than there are tickets of the silent master. */
    private static final Duration SILENCE = TIMEOUT.multipliedBy(10);

    @TempDir
    Path folder;

    @Test
    void oneSilentMasterIsWaitedForOnceAndTheOthersAreRenewed() {
        try (RedisCluster cluster = RedisCluster.start(RedisProcess.bundled(folder), folder);
                StoreLedger ledger = Fixtures.open(cluster.options().withTimeout(TIMEOUT))) {
            Map<Ticket, Duration> leases = new HashMap<>();
            Set<Ticket> ofFirst = new HashSet<>();
            for (int i = 0; i < TICKETS; i++) {
                Ticket ticket = Fixtures.take(ledger, "k" + i);
                leases.put(ticket, Duration.ofHours(1));
                if (RedisCluster.ofFirst(slot("k" + i))) {
                    ofFirst.add(ticket);
                }
            }
            Ticket stale = leases.keySet().stream()
                    .filter(ticket -> !ofFirst.contains(ticket))
                    .findFirst()
                    .orElseThrow();
            ledger.settle(stale, Fixtures.completed("1"));
            cluster.first().admin(jedis -> jedis.clientPause(SILENCE.toMillis()));
            Unrenewed unrenewed = ledger.as(GroupRenewing.class).orElseThrow().renewAll(leases);
            assertThat(unrenewed).isEqualTo(new Unrenewed(Set.of(stale), ofFirst));
        }
    }

    private static int slot(String key) {
        return JedisClusterCRC16.getSlot(Fixtures.name(key).getBytes(StandardCharsets.UTF_8));
    }
}
