package dev.idem.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idem.Idem;
import dev.idem.LedgerUnreadableException;
import dev.idem.lab.RedisProcess;
import dev.idem.spi.store.StoreLedger;
import dev.idem.testkit.Until;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Each master of a cluster is asked whether it may evict entries, and only its own first calls are refused. */
class ClusterEvictionIT {
    /** So many that each master has some: that one has none is less likely than 1 in 10^10. */
    private static final int CALLS = 60;

    private int number;

    @Test
    void onlyTheFirstCallsOfTheMasterThatMayEvictAreRefused() {
        RedisCluster cluster = RedisCluster.shared();
        try (StoreLedger careful = Fixtures.open(cluster.options().withCheck(Check.ON));
                Idem idem = Fixtures.idem(careful)) {
            assertThat(refusals(idem)).isEmpty();
            for (int master = 0; master < 3; master++) {
                RedisProcess node = cluster.node(master);
                evict(node, "allkeys-lru");
                Until.isTrue(
                        "its first calls are refused", () -> !refusals(idem).isEmpty());

                List<String> refused = refusals(idem);
                assertThat(refused).hasSizeBetween(1, CALLS - 1);
                assertThat(refused)
                        .allSatisfy(why ->
                                assertThat(why).contains("the maxmemory-policy of " + node.host() + " is allkeys-lru"));

                evict(node, "noeviction");
                Until.isTrue("they run again", () -> refusals(idem).isEmpty());
            }
        }
    }

    private static void evict(RedisProcess node, String policy) {
        node.admin(admin -> admin.configSet("maxmemory-policy", policy));
    }

    /** Why calls with new keys were refused. */
    private List<String> refusals(Idem idem) {
        List<String> refusals = new ArrayList<>();
        for (int i = 0; i < CALLS; i++) {
            try {
                idem.operation("charge").key("order-" + ++number).run(call -> "charged");
            } catch (LedgerUnreadableException e) {
                refusals.add(e.getMessage());
            }
        }
        return refusals;
    }
}
