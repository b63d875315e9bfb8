package dev.idem.spi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idem.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class DurationTextTest {
    private static final Path CASES = Path.of("..", "clients", "duration-cases.jsonl");

    /** The tests of the packages for TypeScript and Python read the same cases. */
    @Test
    void readsWhatAllLanguagesRead() throws IOException {
        List<String> lines = Files.readAllLines(CASES);
        assertThat(lines).hasSizeGreaterThan(20);
        for (String line : lines) {
            Map<?, ?> one = (Map<?, ?>) Json.parse(line);
            Number millis = (Number) one.get("ms");
            assertThat(DurationText.parse((String) one.get("text"))
                            .map(Duration::toMillis)
                            .orElse(null))
                    .as(line)
                    .isEqualTo(millis == null ? null : millis.longValue());
        }
    }
}
