package dev.idem.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idem.Address;
import dev.idem.command.Printable;
import dev.idem.spi.AttemptId;
import dev.idem.spi.Claim;
import dev.idem.spi.ClaimRequest;
import dev.idem.spi.Failure;
import dev.idem.spi.Fingerprints;
import dev.idem.spi.Owner;
import dev.idem.spi.Settlement;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Text from outside does not steer the terminal of the person who reads it. */
class PrintableTest {
    private static final String CLEARS = "\u001b[2J\u001b[1;31mall is well\u009b0m\u202e";

    @TempDir
    Path folder;

    @Test
    void controlCharactersAreShownByTheirNumber() {
        assertThat(Printable.line("plain ü 漢 \ud83d\ude00")).isEqualTo("plain ü 漢 \ud83d\ude00");
        assertThat(Printable.line("a\u001b[31mb\r\n\tc\u007f\u0085"))
                .isEqualTo("a\\u001b[31mb\\u000d\\n\\tc\\u007f\\u0085");
        assertThat(Printable.text("a\n\tb\u0007")).isEqualTo("a\n\tb\\u0007");
    }

    @Test
    void anEntryFromOutsideDoesNotSteerTheTerminal() {
        InProcess shell = new InProcess(folder);
        ClaimRequest request = ClaimRequest.of(
                        new AttemptId(1, 2), new Address("default", "run", "k"), Fingerprints.NONE, Owner.named(CLEARS))
                .withLabels(Map.of("note", CLEARS));
        Claim.Granted granted = (Claim.Granted) shell.ledger.claim(request);
        shell.ledger.settle(granted.ticket(), new Settlement.Doubtful(new Failure(CLEARS, CLEARS)));
        for (String command : new String[] {"show k", "why k", "ls", "claim k --operation run"}) {
            InProcess.Ran ran = shell.idem(command.split(" ", -1));
            assertThat(ran.out() + ran.err())
                    .as(command)
                    .doesNotContain("\u001b")
                    .doesNotContain("\u009b")
                    .doesNotContain("\u202e");
        }
    }
}
