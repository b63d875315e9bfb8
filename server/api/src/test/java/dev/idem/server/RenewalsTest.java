package dev.idem.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.idem.Address;
import dev.idem.Entry;
import dev.idem.spi.Host;
import dev.idem.spi.ProcessRef;
import dev.idem.testkit.Until;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class RenewalsTest extends ApiCase {
    private static final String SHORT = ",'policy':{'lease':'200ms'}";

    private Map<String, @Nullable Object> claimedBy(Caller caller, String more) {
        return json(api.call("claim", claimOf(id(), more).replace('\'', '"'), caller));
    }

    private Entry entry() {
        return ledger.find(new Address("default", "charge", "k")).orElseThrow();
    }

    private void waitForALease() {
        var lease = entry().tenure().lease();
        Until.isTrue(
                "the first lease is over", () -> lease.isBefore(Host.system().now()));
    }

    @Test
    void aTicketIsRenewedWhileItsPipeIsOpen() {
        AtomicBoolean open = new AtomicBoolean(true);
        claimedBy(Caller.local("ann", open::get, true), SHORT);
        waitForALease();
        assertThat(claim("")).containsEntry("answer", "in_flight");
        open.set(false);
        Until.isTrue("it lapses", () -> "in_doubt".equals(claim("").get("answer")));
        assertThat(api.renewed()).isZero();
    }

    @Test
    void aConnectionToASocketProvesNothing() {
        claimedBy(Caller.local("ann", () -> true, false), SHORT);
        Until.isTrue("it lapses", () -> "in_doubt".equals(claim("").get("answer")));
    }

    @Test
    void aTicketIsRenewedWhileItsProcessIsSeen() throws IOException, InterruptedException {
        Process client = new ProcessBuilder("sleep", "600").start();
        try {
            ProcessRef process = Host.system().process(client.pid()).orElse(null);
            assumeTrue(process != null, "processes can't be told apart here");
            String owner = ",'owner':{'process':{'host':'" + process.host() + "','pid':" + process.pid() + ",'start':"
                    + process.start() + "}}";
            claimedBy(Caller.local("ann", () -> false, false), SHORT + owner);
            waitForALease();
            assertThat(claim("")).containsEntry("answer", "in_flight");
            client.destroyForcibly().waitFor();
            assertThat(claim("")).containsEntry("answer", "in_doubt");
            Until.isTrue("it is renewed no more", () -> api.renewed() == 0);
        } finally {
            client.destroyForcibly();
        }
    }

    @Test
    void nothingIsRenewedPastItsLimit() {
        granted(",'policy':{'lease':'100ms','time_limit':'300ms'}");
        Until.isTrue("it lapses", () -> "in_doubt".equals(claim("").get("answer")));
        Until.isTrue("it is renewed no more", () -> api.renewed() == 0);
    }

    @Test
    void aNewServerAdoptsWhatIsRenewed() {
        Map<String, @Nullable Object> granted = granted(SHORT);
        restart();
        assertThat(api.renewed()).isZero();
        call("renew", "{'tickets':[{'ticket':'" + granted.get("ticket") + "','left_ms':60000}]}");
        assertThat(api.renewed()).isEqualTo(1);
        waitForALease();
        assertThat(settle(granted, "'as':'complete'")).containsEntry("answer", "recorded");
        assertThat(api.renewed()).isZero();
    }

    @Test
    void aTicketWithoutTimeLeftIsRenewedOnce() {
        Map<String, @Nullable Object> granted = granted(SHORT);
        restart();
        call("renew", "{'tickets':[{'ticket':'" + granted.get("ticket") + "','left_ms':0}]}");
        assertThat(api.renewed()).isZero();
    }

    /** A heartbeat of the claim went on beside the one of the renewal. */
    @Test
    void aTicketThatWasRenewedByItsClientLapsesAllTheSame() {
        AtomicBoolean open = new AtomicBoolean(true);
        Map<String, @Nullable Object> granted = claimedBy(Caller.local("ann", open::get, true), SHORT);
        renewedBy(Caller.local("ann", open::get, true), granted);
        open.set(false);
        Until.isTrue("it lapses", () -> "in_doubt".equals(claim("").get("answer")));
    }

    @Test
    void theConnectionThatRenewedLastCounts() {
        AtomicBoolean first = new AtomicBoolean(true);
        Caller before = Caller.local("ann", first::get, true);
        renewedBy(CALLER, claimedBy(before, SHORT));
        claimedBy(before, ",'scope':'other'" + SHORT);
        first.set(false);
        Until.isTrue("the other one is renewed no more", () -> api.renewed() == 1);
        waitForALease();
        assertThat(claim("")).containsEntry("answer", "in_flight");
    }

    private void renewedBy(Caller caller, Map<String, @Nullable Object> granted) {
        String renew = "{\"tickets\":[{\"ticket\":\"" + granted.get("ticket") + "\",\"left_ms\":60000}]}";
        assertThat(api.call("renew", renew, caller)).contains("renewed");
    }

    /** Tickets of clients that were gone were renewed until their limit, hours later. */
    @Test
    void aLookThatFailsIsFollowedByAnother() {
        AtomicBoolean open = new AtomicBoolean(true);
        AtomicBoolean failed = new AtomicBoolean();
        BooleanSupplier seen = () -> {
            if (!open.get() && failed.compareAndSet(false, true)) {
                throw new IllegalStateException("it can't be seen");
            }
            return open.get();
        };
        claimedBy(Caller.local("ann", seen, true), SHORT);
        open.set(false);
        Until.isTrue("it is renewed no more", () -> api.renewed() == 0);
        assertThat(failed).isTrue();
    }
}
