package dev.idem.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idem.cli.InProcess.Ran;
import dev.idem.testkit.FaultyLedger.Point;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is not understood is said to be so, and nothing is run. */
class BadInputTest extends RunCase {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "run --key k --on-doubt rerun --side-effect destructive -- true | never run again",
                "run --key k --on-nonzero rerun --side-effect destructive -- true | --failed-exits",
                "run --key k --side-effect read -- true | 'read' is not one of write, idempotent, destructive",
                "run --key k --wait soon -- true | --wait: 'soon' is no time",
                "run --key k --failed-exits 200 -- true | always in doubt",
                "run --key k --fingerprint pid -- true | 'pid' is not one of",
                "run --key k --status-file /no/such/folder/x -- true | --status-file",
                "run --key k --ledger nowhere: -- true | --ledger: no ledger for 'nowhere:'",
                "run --key k --scope= -- true | scope has 0 characters",
                "run --key k --scope=\u2003 -- true | the scope is blank",
                "run --key= -- true | the key has 0 characters; a key is 1 to 255 visible",
                "run -- true | run needs a key: give --key K to name this piece of work, or --key-from argv",
                "rnu | unknown command rnu (did you mean run?)",
                "show | there is no KEY",
                "resolve k | idem: resolve needs --as WORD (complete: it happened; failed: it did not). Nothing",
                "resolve k --as done | 'done' is not one of complete, failed",
                "ls --limit many | 'many' is no number",
                "ls --state gone | 'gone' is not one of in_progress",
            })
    void badInputIsExitTwoAndNothingIsRun(String line, String why) {
        Ran ran = shell.idem(line.split(" "));
        assertThat(ran.exit()).isEqualTo(2);
        assertThat(ran.out()).isEmpty();
        assertThat(ran.err()).startsWith("idem: ").contains(why);
        assertThat(shell.handle.passed(Point.BEFORE_CLAIM)).isZero();
    }

    @Test
    void aKeyIsOneTo255VisibleCharacters() {
        for (String key : List.of("k".repeat(256), "with space", "ä", "tab\t")) {
            Ran ran = shell.idem("run", "--json", "--key", key, "--", "true");
            assertThat(ran.exit()).isEqualTo(2);
            assertThat(ran.error()).containsEntry("code", "USAGE").containsEntry("retryable", false);
            for (String command : List.of("run --key", "show", "why", "claim", "renew --fence 1", "approve")) {
                List<String> words = new ArrayList<>(List.of(command.split(" ", -1)));
                words.add(key);
                words.addAll(command.startsWith("run") ? List.of("--", "true") : List.of());
                assertThat(shell.idem(words.toArray(new String[0])).err())
                        .as(command)
                        .contains("--key-from or idem key")
                        .doesNotContain("(...)");
            }
        }
        assertThat(shell.idem("run", "--key", "k".repeat(255), "--", "true").exit())
                .isZero();
    }
}
