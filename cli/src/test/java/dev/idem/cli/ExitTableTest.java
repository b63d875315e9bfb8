package dev.idem.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idem.Json;
import dev.idem.LedgerException;
import dev.idem.LedgerUnavailableException;
import dev.idem.LedgerUnreadableException;
import dev.idem.SideEffect;
import dev.idem.cli.InProcess.Ran;
import dev.idem.clikit.Declares;
import dev.idem.clikit.Kit;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine.Command;

/**
 * A program that reads the manifests of {@code idem} and of a program built with the kit must not be told two things
 * about one exit. The two had tables of their own, and an unreadable ledger was exit 12, which may be retried, in one and
 * exit 1 in the other.
 */
class ExitTableTest {
    @TempDir
    Path folder;

    @Command(name = "make")
    @Declares(SideEffect.WRITE)
    static final class Make implements Callable<String> {
        @Override
        public String call() {
            return "made";
        }
    }

    /** What a program built with the kit answers, on a ledger that can't be opened where there is a reason. */
    private static Map<?, ?> kit(LedgerException broken, String... line) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        Kit.of(new Make())
                .ledger("memory:")
                .idem(builder -> {
                    if (broken != null) {
                        throw broken;
                    }
                })
                .out(out)
                .build()
                .run(line);
        return (Map<?, ?>) Json.parse(out.toString(StandardCharsets.UTF_8));
    }

    /** All exit codes of a manifest's mutating commands. */
    private static Map<Object, Object> exits(Object manifest) {
        Map<Object, Object> exits = new TreeMap<>();
        ((Map<?, ?>) ((Map<?, ?>) manifest).get("commands")).values().forEach(command -> {
            if (!((Map<?, ?>) command).get("danger_level").equals("safe")) {
                ((Map<?, ?>) ((Map<?, ?>) command).get("exit_codes")).forEach((code, meaning) -> {
                    Object before = exits.put(code, meaning);
                    assertThat(before == null ? meaning : before)
                            .as("two meanings of exit " + code)
                            .isEqualTo(meaning);
                });
            }
        });
        return exits;
    }

    @Test
    void anExitMeansTheSameInBothManifests() {
        Map<Object, Object> ours =
                exits(new InProcess(folder).idem("manifest", "--json").data());
        Map<Object, Object> kits = exits(kit(null, "manifest").get("data"));
        ours.keySet().retainAll(kits.keySet());
        assertThat(ours).hasSizeGreaterThanOrEqualTo(8);
        kits.keySet().retainAll(ours.keySet());
        assertThat(ours).isEqualTo(kits);
    }

    @Test
    void aLedgerThatCantBeUsedEndsBothInTheSameWay() {
        InProcess shell = new InProcess(folder);
        shell.unreachable = true;
        same(shell.idem("ls", "--json"), new LedgerUnavailableException("nobody answers", null), 12, true);
        shell.unreachable = false;
        shell.unreadable = true;
        same(shell.idem("ls", "--json"), new LedgerUnreadableException("torn", null), 1, false);
    }

    private static void same(Ran ours, LedgerException broken, int exit, boolean retryable) {
        Map<?, ?> kits = kit(broken, "--idempotency-key", "k");
        assertThat(ours.exit()).isEqualTo(exit);
        assertThat(ours.error()).containsEntry("retryable", retryable);
        assertThat(((Map<?, ?>) kits.get("meta")).get("exit_code")).isEqualTo((long) exit);
        assertThat(((Map<?, ?>) kits.get("error")).get("retryable")).isEqualTo(retryable);
        assertThat(((Map<?, ?>) kits.get("error")).get("code"))
                .isEqualTo(ours.error().get("code"));
    }
}
