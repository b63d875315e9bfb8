package dev.idem.redis;

import dev.idem.testkit.LedgerFixture;
import dev.idem.testkit.hazard.HazardContract;
import org.junit.jupiter.api.Tag;

/** The hazards of other libraries, on a Redis Cluster. */
@Tag("proof")
class ClusterHazardsIT extends HazardContract {
    @Override
    protected LedgerFixture fixture() {
        return RedisCluster.shared().fixture();
    }
}
