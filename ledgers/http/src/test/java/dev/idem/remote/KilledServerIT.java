package dev.idem.remote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.idem.Address;
import dev.idem.Idem;
import dev.idem.LedgerUnavailableException;
import dev.idem.Policy;
import dev.idem.State;
import dev.idem.spi.Ledger;
import dev.idem.spi.Ledgers;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A server that is killed while a call runs. */
@Timeout(240)
class KilledServerIT {
    @TempDir
    Path folder;

    private Path socket;
    private Process server;

    @BeforeEach
    void start() throws IOException {
        socket = folder.resolve("run/s.sock");
        server = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                        ServerMain.class.getName(),
                        "sqlite:" + folder.resolve("idem.db"),
                        socket.toString())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        assertThat(server.inputReader(StandardCharsets.UTF_8).readLine()).isEqualTo("ready");
    }

    @AfterEach
    void kill() {
        server.destroyForcibly().onExit().join();
    }

    @Test
    void betweenClaimAndSettleNothingIsLostAndNothingRunsTwice() throws Exception {
        AtomicInteger effects = new AtomicInteger();
        try (Idem idem = Idem.builder()
                .ledger(Ledgers.open("http+unix:" + socket))
                .quiet()
                .settleFor(Duration.ofSeconds(60))
                .open()) {
            String first = charge(idem, effects, () -> {
                kill();
                start();
            });
            assertThat(first).isEqualTo("ch_1");
            assertThat(charge(idem, effects, () -> {})).isEqualTo("ch_1");
        }
        assertThat(effects).hasValue(1);
    }

    @Test
    void whileItIsAwayNothingRuns() throws Exception {
        AtomicInteger effects = new AtomicInteger();
        try (Ledger ledger = Ledgers.open("http+unix:" + socket);
                Idem idem = Idem.builder().ledger(ledger).quiet().open()) {
            kill();
            assertThatThrownBy(() -> charge(idem, effects, () -> {}))
                    .isInstanceOf(LedgerUnavailableException.class)
                    .hasMessageContaining("start idem serve");
            assertThat(effects).hasValue(0);
            start();
            assertThat(charge(idem, effects, () -> {})).isEqualTo("ch_1");
            assertThat(ledger.find(new Address("shop", "charge", "k")))
                    .hasValueSatisfying(entry -> assertThat(entry.state()).isEqualTo(State.COMPLETE));
        }
    }

    private interface Step {
        void run() throws Exception;
    }

    private static String charge(Idem idem, AtomicInteger effects, Step during) throws Exception {
        return idem.operation("charge")
                .scope("shop")
                .key("k")
                .policy(Policy.unset().timeLimit(Duration.ofMinutes(3)))
                .returning(String.class)
                .run(call -> {
                    String value = "ch_" + effects.incrementAndGet();
                    during.run();
                    return value;
                });
    }
}
