package dev.idem.redis;

import dev.idem.testkit.LedgerFixture;
import dev.idem.testkit.contract.LedgerContract;
import org.junit.jupiter.api.Tag;

/** The Redis ledger keeps every promise a ledger makes, on a cluster of three masters and three replicas. */
@Tag("proof")
class ClusterContractIT extends LedgerContract {
    @Override
    protected LedgerFixture fixture() {
        return RedisCluster.shared().fixture();
    }
}
