package dev.idem.postgresql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idem.Entry;
import dev.idem.spi.Claim;
import dev.idem.spi.ClaimRequest;
import dev.idem.spi.Effect;
import dev.idem.spi.Fingerprints;
import dev.idem.spi.Ledger;
import dev.idem.spi.Owner;
import dev.idem.spi.Result;
import dev.idem.spi.Settled;
import dev.idem.spi.Settlement;
import dev.idem.testkit.Settlements;
import java.util.Map;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Texts that the server can't keep as they are: every answer has what it keeps instead. */
@Timeout(60)
class OddTextTest {
    private final TestServer server = TestServer.shared();
    private final String schema = TestServer.newSchema();

    @ParameterizedTest
    @ValueSource(strings = {"plain", "\\ \" {a,b} NULL", "nul \u0000", "whole \uD83D\uDE00", ""})
    void whatIsAnsweredIsWhatIsKept(String odd) {
        claimAndSettle(odd);
    }

    /** Not in the name of the test: no report could be written about it. */
    @ParameterizedTest(name = "{index}")
    @ValueSource(strings = {"half \uD83D", "\uDE00 half", "\uDE00\uD83D", "nul \u0000 and half \uD83D"})
    void halfAPairIsAnsweredAsItIsKept(String odd) {
        claimAndSettle(odd);
    }

    private void claimAndSettle(String odd) {
        try (Ledger ledger = server.open(server.url(schema), Requests.HERE)) {
            ClaimRequest request = ClaimRequest.of(
                            Requests.request("k").attemptId(),
                            Requests.address("k"),
                            new Fingerprints("1d".repeat(32), null),
                            Owner.named(odd))
                    .withLabels(Map.of("label", odd));

            Entry granted = ((Claim.Granted) ledger.claim(request)).entry();
            assertThat(ledger.find(request.address())).contains(granted);

            Settlement how = new Settlement.Completed(new Result.Unavailable(odd), Effect.CREATED, Settlements.DAY);
            Settled settled = ledger.settle(granted.ticket(), how);
            assertThat(settled).isInstanceOf(Settled.Recorded.class);
            assertThat(ledger.find(request.address())).contains(((Settled.Recorded) settled).entry());
        }
    }
}
