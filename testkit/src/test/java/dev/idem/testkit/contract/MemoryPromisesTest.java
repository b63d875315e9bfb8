package dev.idem.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.idem.spi.store.MemoryLedger;
import dev.idem.testkit.LedgerFixture;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The page on guarantees says of the memory ledger what it does. */
final class MemoryPromisesTest extends PromiseContract {
    @Override
    protected LedgerFixture fixture() {
        return LedgerFixture.of(MemoryLedger::new);
    }

    @Override
    protected Map<Promise, Boolean> said() {
        return PromiseTable.on(page()).of("memory:");
    }

    @Test
    void aRowACellAndAColumnThatAreMissingAreNamed() {
        String rows = Arrays.stream(Promise.values())
                .map(promise -> "| " + promise.words() + " | yes, quite |\n")
                .collect(Collectors.joining());
        PromiseTable complete = PromiseTable.on("Words.\n\n| | [`map:`](map.md) |\n|---|---|\n" + rows);
        assertThat(complete.of("map:")).hasSize(Promise.values().length).doesNotContainValue(false);
        assertThatThrownBy(() -> complete.of("file:")).hasMessageContaining("no column is called 'file:'");
        assertThatThrownBy(() -> PromiseTable.on("Words.").of("map:")).hasMessageContaining("no row begins with");
        assertThatThrownBy(() -> PromiseTable.on("| | map: |\n" + rows.replace("yes", "perhaps"))
                        .of("map:"))
                .hasMessageContaining("neither yes nor no: perhaps, quite");
    }

    private static String page() {
        try {
            return Files.readString(Path.of("../docs/guarantees.md"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
