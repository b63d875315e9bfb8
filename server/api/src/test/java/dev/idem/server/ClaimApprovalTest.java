package dev.idem.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idem.Address;
import dev.idem.Entry;
import dev.idem.Idem;
import dev.idem.agent.approval.Approvals;
import dev.idem.spi.ForwardingLedger;
import dev.idem.spi.Host;
import dev.idem.spi.Ledger;
import dev.idem.spi.Ledgers;
import dev.idem.testkit.Race;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ClaimApprovalTest extends ApiCase {
    private static final Address ADDRESS = new Address("default", "charge", "k");

    @Test
    void anApprovalIsUsedUpForOneGrant() {
        String policy = ",'policy':{'approval':true},'arguments':{'cents':4200}";
        Map<String, @Nullable Object> held = claim(policy);
        assertThat(held).containsEntry("answer", "held").containsKeys("approval", "summary", "for_model");
        assertThat(ledger.find(ADDRESS)).isEmpty();
        assertThat(call("approvals.list", "{}").toString()).contains((String) held.get("approval"));
        assertThat(call("approvals.approve", "{'approval':'" + held.get("approval") + "','who':'ann'}"))
                .containsEntry("answer", "done")
                .containsEntry("by", "ann");
        String id = id();
        Map<String, @Nullable Object> granted = claim(id, policy);
        assertThat(granted).containsEntry("answer", "granted");
        restart();
        assertThat(claim(id, policy)).isEqualTo(granted);
        settle(granted, "'as':'failed'");
        assertThat(claim(policy)).containsEntry("answer", "held");
    }

    /** The second copy took the used approval for another's, and called the attempt failed while its client acted. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void copiesOfAnApprovedClaimAreOneGrant(boolean oneServer) {
        try (Ledger same = Ledgers.open(url());
                Api other = new Api(same, url(), Host.system(), "1")) {
            for (int i = 0; i < 10; i++) {
                String more = ",'scope':'order-" + i + "','policy':{'approval':true},'arguments':{'cents':4200}";
                call("approvals.approve", "{'approval':'" + claim(more).get("approval") + "'}");
                String claim = claimOf(id(), more).replace('\'', '"');
                List<String> answers = Race.between(List.of(
                        () -> api.call("claim", claim, CALLER),
                        () -> (oneServer ? api : other).call("claim", claim, CALLER)));
                assertThat(answers).allSatisfy(answer -> assertThat(answer).contains("\"answer\":\"granted\""));
                assertThat(settle(json(answers.get(0)), "'as':'complete'")).containsEntry("answer", "recorded");
            }
            assertThat(call("approvals.list", "{}")).containsEntry("approvals", List.of());
        }
    }

    /** The second caller was answered "held" for a call that was just approved and made. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void anApprovalThatWasUsedAfterTheLookIsNotAskedForAgain(boolean ended) {
        String more = ",'policy':{'approval':true},'arguments':{'cents':4200}";
        call("approvals.approve", "{'approval':'" + claim(more).get("approval") + "'}");
        AtomicBoolean looked = new AtomicBoolean();
        Ledger late = new ForwardingLedger(ledger) {
            @Override
            public Optional<Entry> find(Address at) {
                Optional<Entry> found = super.find(at);
                if (at.equals(ADDRESS) && !looked.getAndSet(true)) {
                    Map<String, @Nullable Object> granted = granted(more);
                    if (ended) {
                        ClaimApprovalTest.this.settle(granted, "'as':'complete'");
                    }
                }
                return found;
            }

            @Override
            public void close() {}
        };
        try (Api other = new Api(late, url(), Host.system(), "1")) {
            String claim = claimOf(id(), more).replace('\'', '"');
            assertThat(json(other.call("claim", claim, CALLER)))
                    .containsEntry("answer", ended ? "replay" : "in_flight");
        }
        assertThat(call("approvals.list", "{}")).containsEntry("approvals", List.of());
    }

    /** The attempt that had acted was taken over without an approval to act again, and its result was refused. */
    @ParameterizedTest
    @ValueSource(strings = {"'passes_key_to':'Stripe'", "'on_doubt':'rerun'"})
    void anApprovedAttemptInDoubtIsFinishedWhereThePolicyAllowsIt(String allows) {
        String more = ",'policy':{'approval':true," + allows + "},'arguments':{'cents':4200}";
        call("approvals.approve", "{'approval':'" + claim(more).get("approval") + "'}");
        settle(granted(more), "'as':'in_doubt'");
        assertThat(granted(more)).containsEntry("attempt", 2L);
    }

    @Test
    void anAttemptThatHadNoApprovalIsNotFinishedWithoutOne() {
        settle(granted(",'policy':{'passes_key_to':'Stripe'}"), "'as':'in_doubt'");
        assertThat(claim(",'policy':{'approval':true,'passes_key_to':'Stripe'},'arguments':{'cents':4200}"))
                .containsEntry("answer", "held");
    }

    /** A person would be asked to approve what can't run. */
    @Test
    void aDoubtThatWaitsForAPersonAsksForNoApproval() {
        settle(granted(""), "'as':'in_doubt'");
        assertThat(claim(",'policy':{'approval':true},'arguments':{'cents':4200}"))
                .containsEntry("answer", "in_doubt");
        assertThat(call("approvals.list", "{}")).containsEntry("approvals", List.of());
    }

    @Test
    void aDeniedCallIsNotClaimed() {
        String policy = ",'policy':{'approval':true},'arguments':{'cents':4200}";
        Map<String, @Nullable Object> held = claim(policy);
        call("approvals.deny", "{'approval':'" + held.get("approval") + "','who':'ann','why':'too much'}");
        assertThat(claim(policy)).containsEntry("answer", "denied").containsEntry("why", "too much");
        assertThat(call("approvals.approve", "{'approval':'" + held.get("approval") + "'}"))
                .containsEntry("answer", "changed");
        assertThat(ledger.find(ADDRESS)).isEmpty();
        try (Idem idem = Idem.builder().ledger(ledger).quiet().open()) {
            assertThat(Approvals.on(idem).pending()).isEqualTo(List.of());
        }
    }
}
