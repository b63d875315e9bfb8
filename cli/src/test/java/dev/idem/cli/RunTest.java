package dev.idem.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idem.Address;
import dev.idem.cli.InProcess.Ran;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** {@code idem run}: a command runs once for its key. */
class RunTest extends RunCase {
    @Test
    void twoCallsOneEffectAndTheSameAnswer() {
        Ran first = act("printf 'out\\n'; printf err >&2");
        Ran second = act("printf 'out\\n'; printf err >&2");
        assertThat(first.exit()).isZero();
        assertThat(first.out()).isEqualTo("out\n");
        assertThat(first.err()).isEqualTo("err");
        assertThat(second.exit()).isZero();
        assertThat(second.out()).isEqualTo("out\n");
        assertThat(second.err()).startsWith("err").contains("idem: replay of 'k': it first ran at 20");
        assertThat(effects()).isEqualTo(1);
    }

    @Test
    void theCommandIsToldKeyFenceAndAttempt() {
        Ran ran = shell.idem("run", "--key", "k", "--", "sh", "-c", "echo $IDEM_KEY $IDEM_FENCE $IDEM_ATTEMPT");
        assertThat(ran.out()).isEqualTo("k 1 1\n");
    }

    @Test
    void anotherCommandUnderTheKeyIsAConflict() {
        act("true");
        Ran other = act("false");
        assertThat(other.exit()).isEqualTo(82);
        assertThat(other.err()).contains("was used for another command at");
        assertThat(effects()).isEqualTo(1);
    }

    @Test
    void theFingerprintMayHoldStdinDirectoryAndVariables() throws IOException {
        String[] line = {"run", "--key", "k", "--fingerprint", "stdin,cwd,env:A", "--", "cat"};
        shell.stdin = "one".getBytes(StandardCharsets.UTF_8);
        shell.env.put("A", "1");
        assertThat(shell.idem(line).out()).isEqualTo("one");
        assertThat(shell.idem(line).out()).isEqualTo("one");
        shell.env.put("A", "2");
        assertThat(shell.idem(line).exit()).isEqualTo(82);
        shell.env.put("A", "1");
        shell.stdin = "two".getBytes(StandardCharsets.UTF_8);
        assertThat(shell.idem(line).exit()).isEqualTo(82);
    }

    @Test
    void destructiveKeepsATombstone() {
        shell.idem("run", "--key", "d", "--side-effect", "destructive", "--", "true");
        assertThat(shell.ledger
                        .find(new Address("default", "run", "d"))
                        .orElseThrow()
                        .settlement()
                        .toString())
                .contains("tombstone=PT168H");
    }
}
