package dev.idem.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idem.spi.Host;
import dev.idem.testkit.FaultyLedger;
import dev.idem.testkit.FaultyLedger.Point;
import dev.idem.testkit.Halted;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A server is killed before and after each of its steps while it claims for an approved call. */
class ApprovalGapsTest extends ApiCase {
    private static final String POLICY = ",'policy':{'approval':true},'arguments':{'cents':4200}";

    @ParameterizedTest
    @EnumSource(names = {"BEFORE_CLAIM", "AFTER_CLAIM", "BEFORE_SETTLE", "AFTER_SETTLE", "BEFORE_FIND", "AFTER_FIND"})
    void anApprovalIsUsedOnceWhereverTheServerIsKilled(Point point) {
        call("hello", "{}");
        boolean answered = false;
        int passed = 0;
        for (; !answered; passed++) {
            String call = ",'scope':'order-" + passed + "'";
            Map<String, @Nullable Object> held = claim(POLICY + call);
            call("approvals.approve", "{'approval':'" + held.get("approval") + "'}");
            String id = id();
            answered = isAnswered(point, passed, claimOf(id, POLICY + call));
            Map<String, @Nullable Object> granted = claim(id, POLICY + call);
            assertThat(granted).as("repeated after %s steps", passed).containsEntry("answer", "granted");
            assertThat(settle(granted, "'as':'failed'")).containsEntry("answer", "recorded");
            assertThat(claim(POLICY + call))
                    .as("a new call after %s steps", passed)
                    .containsEntry("answer", "held");
        }
        assertThat(passed).isGreaterThan(1);
    }

    /** Whether a server has answered a claim that is killed when it comes to a point of its use of the ledger. */
    private boolean isAnswered(Point point, int after, String claim) {
        FaultyLedger mortal = new FaultyLedger(ledger);
        for (int i = 0; i < after; i++) {
            mortal.at(point, () -> {});
        }
        mortal.halt(point);
        Api killed = new Api(mortal, url(), Host.system(), "1");
        try {
            return killed.call("claim", claim.replace('\'', '"'), CALLER).contains("granted");
        } catch (Halted e) {
            return false;
        } finally {
            killed.close();
        }
    }
}
