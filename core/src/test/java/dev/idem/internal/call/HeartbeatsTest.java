package dev.idem.internal.call;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idem.Address;
import dev.idem.internal.runtime.Clock;
import dev.idem.spi.Fence;
import dev.idem.spi.GroupRenewing;
import dev.idem.spi.Ledger;
import dev.idem.spi.Ticket;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class HeartbeatsTest {
    private static final Duration LEASE = Duration.ofMillis(60);
    private static final Duration LIMIT = Duration.ofMinutes(5);

    private final Set<Long> renewed = ConcurrentHashMap.newKeySet();
    private final CountDownLatch allHealthy = new CountDownLatch(3);

    /** One that the ledger chokes on came first in every round, and those after it lost their leases. */
    @Test
    void aTicketWhoseRenewalThrowsDoesNotKeepTheOthersFromTheirs() throws InterruptedException {
        assertThat(healthyAreRenewed(Optional.empty())).isTrue();
    }

    @Test
    void aTicketThatSpoilsAGroupDoesNotKeepTheOthersFromTheirRenewal() throws InterruptedException {
        GroupRenewing spoilt = leases -> {
            throw new IllegalStateException("one of them can't be read");
        };

        assertThat(healthyAreRenewed(Optional.of(spoilt))).isTrue();
    }

    private boolean healthyAreRenewed(Optional<GroupRenewing> group) throws InterruptedException {
        try (Heartbeats heartbeats = heartbeats(group)) {
            long now = System.nanoTime();
            for (long fence = 1; fence <= 6; fence++) {
                heartbeats.hold(ticket(fence), LEASE, new ClaimStart(now, System.currentTimeMillis(), 0), LIMIT, null);
            }
            return allHealthy.await(60, TimeUnit.SECONDS);
        }
    }

    private Heartbeats heartbeats(Optional<GroupRenewing> group) {
        Ledger ledger = (Ledger) Proxy.newProxyInstance(
                Ledger.class.getClassLoader(), new Class<?>[] {Ledger.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("as")) {
                        return group;
                    }
                    long fence = ((Ticket) arguments[0]).fence().number();
                    if (fence % 2 == 0) {
                        throw new IllegalStateException("fence " + fence + " can't be read");
                    }
                    if (renewed.add(fence)) {
                        allHealthy.countDown();
                    }
                    return true;
                });
        return new Heartbeats(ledger, Clock.SYSTEM, new Events(List.of()));
    }

    private static Ticket ticket(long fence) {
        return new Ticket(new Address("shop", "charge", "k" + fence), new Fence(fence));
    }
}
