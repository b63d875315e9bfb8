package dev.idem.remote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectNestedClass;

import dev.idem.Repeat;
import dev.idem.spi.AttemptId;
import dev.idem.spi.Claim;
import dev.idem.spi.ClaimRequest;
import dev.idem.spi.Fingerprints;
import dev.idem.spi.ForwardingLedger;
import dev.idem.spi.GroupRenewing;
import dev.idem.spi.Ledger;
import dev.idem.spi.Mark;
import dev.idem.spi.Settled;
import dev.idem.spi.Settlement;
import dev.idem.spi.TakeOver;
import dev.idem.spi.Ticket;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/** The kit on the remote ledger goes red for every part of a request that a server drops, and for a missing fence. */
@Tag("proof")
class BrokenServersTest {
    private static final AtomicLong FRESH = new AtomicLong();

    /** What a server does wrong, and the part of the kit and the test that find it. */
    record Case(String wrong, UnaryOperator<Ledger> server, String part, String test) {
        @Override
        public String toString() {
            return wrong;
        }
    }

    private static Case claims(String wrong, UnaryOperator<ClaimRequest> heard, String part, String test) {
        return new Case(wrong, inner -> new ClaimsAs(inner, heard), part, test);
    }

    static List<Case> cases() {
        return List.of(
                new Case("settles without the fence", Fenceless::new, "Settles", "settleTable"),
                new Case(
                        "says that it has renewed all",
                        Unrenewing::new,
                        "Leases",
                        "manyHeartbeatsInOneStepNameTheLost"),
                new Case("says that it has marked", Unmarking::new, "Doubts", "aMarkIsKept"),
                claims(
                        "forgets attempt ids",
                        request -> request.withAttemptId(new AttemptId(1, FRESH.incrementAndGet())),
                        "Claims",
                        "theSameAttemptAgainGetsTheSameGrant"),
                claims(
                        "drops the take-over",
                        request -> request.withTakeOver(TakeOver.NONE),
                        "Doubts",
                        "aTakeOverKeepsTheDoubtAndTheMarks"),
                claims(
                        "drops the grace",
                        request -> request.withGrace(Duration.ZERO),
                        "Probes",
                        "aProbeIsNotAskedBeforeLimitAndGrace"),
                claims(
                        "drops staged",
                        request -> request.withStaged(false),
                        "Doubts",
                        "aHarmlessLapseCountsAsFailedAndRunsAgain"),
                claims(
                        "drops the time limit",
                        request -> request.withTimeLimit(Duration.ofNanos(1)),
                        "Probes",
                        "aProbeIsNotAskedBeforeLimitAndGrace"),
                claims(
                        "drops the lease",
                        request -> request.withLease(Duration.ofHours(1)),
                        "Leases",
                        "aLeaseLastsAsLongAsItSays"),
                claims(
                        "drops the fingerprints",
                        request -> request.withFingerprints(Fingerprints.NONE),
                        "Claims",
                        "aConflictIsToldEvenWhileTheFirstIsInFlight"),
                claims(
                        "drops repeat",
                        request -> request.withRepeat(Repeat.REPLAY),
                        "Claims",
                        "aRepeatThatMayRunIsTheFirstGrantOfANewLife"));
    }

    @AfterEach
    void mend() {
        KitOnBrokenServer.broken = UnaryOperator.identity();
    }

    @ParameterizedTest
    @MethodSource("cases")
    void isCaught(Case server) {
        KitOnBrokenServer.broken = server.server();
        assertThat(failed(server.part())).contains(server.test());
    }

    @Test
    void aHealthyServerIsNotBlamed() {
        assertThat(failed("Claims")).isEmpty();
    }

    /** The tests of a part of the kit that fail. */
    private static Set<String> failed(String part) {
        LauncherDiscoveryRequest request = LauncherDiscoveryRequestBuilder.request()
                .selectors(selectNestedClass(
                        List.of(KitOnBrokenServer.class.getName()), "dev.idem.testkit.contract.LedgerContract$" + part))
                .build();
        Set<String> failed = new ConcurrentSkipListSet<>();
        LauncherFactory.create().execute(request, new TestExecutionListener() {
            @Override
            public void executionFinished(TestIdentifier test, TestExecutionResult result) {
                if (test.isTest() && result.getStatus() == TestExecutionResult.Status.FAILED) {
                    test.getSource().ifPresent(source -> failed.add(method(source)));
                }
            }
        });
        return failed;
    }

    private static String method(Object source) {
        return source instanceof org.junit.platform.engine.support.descriptor.MethodSource method
                ? method.getMethodName()
                : "";
    }

    private static final class ClaimsAs extends ForwardingLedger {
        private final UnaryOperator<ClaimRequest> heard;

        ClaimsAs(Ledger inner, UnaryOperator<ClaimRequest> heard) {
            super(inner);
            this.heard = heard;
        }

        @Override
        public Claim claim(ClaimRequest request) {
            return inner.claim(heard.apply(request));
        }
    }

    private static final class Fenceless extends ForwardingLedger {
        Fenceless(Ledger inner) {
            super(inner);
        }

        @Override
        public Settled settle(Ticket ticket, Settlement how) {
            Ticket current =
                    inner.find(ticket.address()).map(entry -> entry.ticket()).orElse(ticket);
            return inner.settle(current, how);
        }
    }

    private static final class Unrenewing extends ForwardingLedger {
        Unrenewing(Ledger inner) {
            super(inner);
        }

        @Override
        public <C> Optional<C> as(Class<C> capability) {
            GroupRenewing renewing = leases -> GroupRenewing.Unrenewed.lost(Set.of());
            return capability == GroupRenewing.class ? Optional.of(capability.cast(renewing)) : inner.as(capability);
        }
    }

    private static final class Unmarking extends ForwardingLedger {
        Unmarking(Ledger inner) {
            super(inner);
        }

        @Override
        public boolean mark(Ticket ticket, Mark mark) {
            return true;
        }
    }
}
