package dev.idem.sql;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MicrosTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "2026-11-15T02:41:23.123456Z",
                "1970-01-01T00:00:00Z",
                "1969-12-31T23:59:59.999999Z",
                "+20000-01-01T00:00:00Z"
            })
    void instants_come_back_to_the_microsecond(String text) {
        Instant instant = Instant.parse(text);
        assertThat(Micros.instant(Micros.of(instant))).isEqualTo(instant);
    }

    @ParameterizedTest
    @ValueSource(strings = {"PT0S", "PT0.000001S", "P7D", "PT-1.5S", "P365000D"})
    void durations_come_back_to_the_microsecond(String text) {
        Duration duration = Duration.parse(text);
        assertThat(Micros.duration(Micros.of(duration))).isEqualTo(duration);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 999})
    void a_retention_of_nanoseconds_does_not_become_none(long nanos) {
        assertThat(Micros.of(Duration.ofNanos(nanos))).isEqualTo(1);
    }
}
