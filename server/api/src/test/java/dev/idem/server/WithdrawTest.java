package dev.idem.server;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class WithdrawTest extends ApiCase {
    @Test
    void aWithdrawnClaimIsEndedAndItsIdRefused() {
        String id = id();
        claim(id, "");
        String withdraw = "{'operation':'charge','key':'k','attempt_id':'" + id + "'}";
        assertThat(call("withdraw", withdraw)).isEqualTo(of("answer", "withdrawn", "state", "failed"));
        assertThat(call("withdraw", withdraw)).isEqualTo(of("answer", "nothing"));
        assertThat(refusal("claim", "{'operation':'charge','key':'k','attempt_id':'" + id + "'}"))
                .contains("was withdrawn");
        restart();
        assertThat(claim(id, "")).containsEntry("answer", "failed");
        granted("");
    }

    /** A claim that hung in a server which was ending was granted after its client had withdrawn it elsewhere. */
    @Test
    void aClaimThatComesAfterItsWithdrawalIsNotGranted() {
        String id = id();
        assertThat(call("withdraw", "{'operation':'charge','key':'k','attempt_id':'" + id + "'}"))
                .isEqualTo(of("answer", "nothing"));
        restart();
        assertThat(claim(id, "")).containsEntry("answer", "failed");
        granted("");
    }

    /** As above, where an earlier attempt has failed. */
    @Test
    void aKeyThatIsFreeAgainIsNotGrantedToAWithdrawnClaim() {
        settle(granted(""), "'as':'failed'");
        String id = id();
        assertThat(call("withdraw", "{'operation':'charge','key':'k','attempt_id':'" + id + "'}"))
                .isEqualTo(of("answer", "nothing"));
        restart();
        assertThat(claim(id, "")).containsEntry("answer", "failed");
        granted("");
    }

    @Test
    void aClaimIsWithdrawnByWhatNamedIt() {
        String named = "'operation':'charge','identity':{'cents':1},'occurrence':2,'attempt_id':'" + id() + "'";
        call("claim", "{" + named + ",'content':'hello'}");
        assertThat(call("withdraw", "{" + named + "}")).containsEntry("answer", "withdrawn");
    }

    @Test
    void aLateWithdrawalOfASettledAttemptChangesNothing() {
        String id = id();
        settle(claim(id, ""), "'as':'complete','result':1");
        assertThat(call("withdraw", "{'operation':'charge','key':'k','attempt_id':'" + id + "'}"))
                .isEqualTo(of("answer", "nothing"));
        assertThat(claim("")).containsEntry("answer", "replay");
    }
}
