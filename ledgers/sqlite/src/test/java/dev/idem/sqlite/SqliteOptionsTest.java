package dev.idem.sqlite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.idem.spi.LedgerUrl;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SqliteOptionsTest {
    @Test
    void aUrlNamesTheFileAndSetsTheOptions() {
        SqliteOptions options = parse("sqlite:/var/lib/idem.db?busy=500ms&readers=2");
        assertThat(options).isEqualTo(new SqliteOptions(Path.of("/var/lib/idem.db"), Duration.ofMillis(500), 2, 0));
        assertThat(parse("sqlite:idem.db").path()).isEqualTo(Path.of("idem.db").toAbsolutePath());
        assertThat(parse("sqlite:idem.db").busy()).isEqualTo(Duration.ofSeconds(10));
        assertThat(parse("sqlite:idem.db?busy=2m").busy()).isEqualTo(Duration.ofMinutes(2));
        assertThat(parse("sqlite:idem.db?busy=1h").busy()).isEqualTo(Duration.ofHours(1));
    }

    @ParameterizedTest
    @CsvSource(quoteCharacter = '`', textBlock = """
                    sqlite:,                    needs the path of a file
                    sqlite::memory:,            use memory:
                    sqlite://host/idem.db,      names a host
                    sqlite:idem.db?trail=off,   has no option 'trail'
                    sqlite:idem.db?busy=10,     `is no duration; write for instance 500ms, 10s or 2m`
                    sqlite:idem.db?readers=0,   is not a number from 1 to 64
                    sqlite:idem.db?speed=11,    has no option 'speed'
                    """)
    void whatIsWrongWithAUrlIsSaid(String url, String message) {
        assertThatThrownBy(() -> parse(url))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(message);
    }

    private static SqliteOptions parse(String url) {
        return SqliteOptions.parse(LedgerUrl.parse(url));
    }
}
