package dev.idem.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idem.Address;
import dev.idem.Entry;
import dev.idem.Idem;
import dev.idem.IdemBuilder;
import dev.idem.State;
import dev.idem.seal.SealKeys;
import dev.idem.spi.AttemptId;
import dev.idem.spi.Claim;
import dev.idem.spi.ClaimRequest;
import dev.idem.spi.Effect;
import dev.idem.spi.Fingerprints;
import dev.idem.spi.Host;
import dev.idem.spi.Ledger;
import dev.idem.spi.Ledgers;
import dev.idem.spi.Payload;
import dev.idem.spi.Result;
import dev.idem.spi.Retention;
import dev.idem.spi.Settled;
import dev.idem.spi.Settlement;
import dev.idem.spi.browse.Historied;
import dev.idem.spi.browse.TrailLine;
import dev.idem.testkit.Until;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SqliteLedgerTest {
    private static final Address ADDRESS = new Address("default", "charge", "req-1");

    @TempDir
    Path folder;

    @Test
    void aSettledResultSurvivesAReopening() {
        String url = "sqlite:" + folder.resolve("idem.db");
        Entry settled;
        try (Ledger ledger = Ledgers.open(url)) {
            Claim.Granted granted = (Claim.Granted) ledger.claim(request(1));
            Settled.Recorded recorded = (Settled.Recorded) ledger.settle(granted.ticket(), completed("42"));
            settled = recorded.entry();
            assertThat(ledger.find(ADDRESS)).contains(settled);
        }
        try (Ledger ledger = Ledgers.open(url)) {
            assertThat(ledger.find(ADDRESS)).contains(settled);
            assertThat(ledger.claim(request(2))).isEqualTo(new Claim.Replay(settled));
            assertThat(ledger.find(ADDRESS).orElseThrow().replays()).isEqualTo(1);
            assertThat(ledger.as(Historied.class).orElseThrow().trail(ADDRESS))
                    .extracting(TrailLine::event)
                    .containsExactly("granted", "complete");
        }
        try (Ledger ledger = Ledgers.open(url)) {
            assertThat(ledger.find(ADDRESS).orElseThrow().replays()).isEqualTo(1);
            assertThat(ledger.find(ADDRESS).orElseThrow().state()).isEqualTo(State.COMPLETE);
        }
    }

    /** Counts were written in portions and at the end only: a process that was killed lost them. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void replaysAreWrittenWhileTheirProcessLivesOn(boolean sealed) {
        String url = "sqlite:" + folder.resolve("idem.db");
        IdemBuilder builder = Idem.builder().ledger(url).quiet().purgeEvery(Duration.ofMillis(10));
        try (Idem idem = (sealed ? builder.sealing(SealKeys.of("k1", new byte[32])) : builder).open();
                Ledger other = Ledgers.open(url)) {
            for (int i = 0; i < 3; i++) {
                idem.operation("charge").key("req-1").returning(String.class).run(call -> "42");
            }
            Until.isTrue("two replays", () -> other.find(ADDRESS).orElseThrow().replays() == 2);
        }
    }

    @Test
    void aDoubtNamesTheCommandThatResolvesItWithLedgerScopeAndOperation() {
        String url = "sqlite:" + folder.resolve("it's mine.db");
        try (Idem idem = Idem.builder().ledger(url).quiet().open()) {
            assertThat(idem.operation("charge")
                            .scope("order 7")
                            .key("req-1")
                            .attempt(call -> {
                                throw new IllegalStateException("the answer was lost");
                            })
                            .message())
                    .contains("idem resolve req-1 --operation charge --scope 'order 7' --ledger '"
                            + url.replace("'", "'\\''")
                            + "' --by NAME --why REASON --as complete --result JSON, or --as failed");
        }
    }

    private static ClaimRequest request(long attempt) {
        return ClaimRequest.of(
                        new AttemptId(0, attempt),
                        ADDRESS,
                        new Fingerprints("a".repeat(64), null),
                        Host.system().self())
                .withLabels(Map.of("customer", "cus_1"));
    }

    private static Settlement completed(String text) {
        return new Settlement.Completed(
                new Result.Stored(Payload.of(text.getBytes(StandardCharsets.UTF_8), "application/json", "json")),
                Effect.CREATED,
                Retention.DEFAULT);
    }
}
