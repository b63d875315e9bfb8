package dev.idem.spi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idem.Idem;
import dev.idem.Provenance;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ImportedRunTest {
    private static final ImportedRun RUN =
            new ImportedRun(Instant.parse("2026-01-01T00:00:00Z"), Instant.parse("2026-01-01T00:00:05.25Z"));

    @Test
    void aLabelSaysWhenItRan() {
        assertThat(RUN.interval()).isEqualTo("2026-01-01T00:00:00Z/2026-01-01T00:00:05.250Z");
        assertThat(ImportedRun.of(Map.of(ImportedRun.LABEL, RUN.interval()))).isEqualTo(RUN);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "2026-01-01T00:00:00Z", "yesterday/today", "2026-01-01T00:00:00Z/"})
    void whatIsNoIntervalSaysNothing(String value) {
        assertThat(ImportedRun.of(Map.of(ImportedRun.LABEL, value))).isNull();
    }

    @Test
    void aReplayTellsWhenItRanThere() {
        try (Idem idem = Idem.builder().ledger("memory:").quiet().open()) {
            var operation = idem.operation("charge").key("k").label(ImportedRun.LABEL, RUN.interval());
            operation.run(call -> "charged");

            AtomicReference<Provenance> seen = new AtomicReference<>();
            operation.observe(seen::set).run(call -> "again");

            assertThat(seen.get().executedAt()).isEqualTo(RUN.began());
            assertThat(seen.get().message())
                    .endsWith("it ran at 2026-01-01T00:00:00Z and was complete at 2026-01-01T00:00:05.250Z");
        }
    }
}
