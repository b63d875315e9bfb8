package dev.idem.internal.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idem.spi.Moment;
import java.time.Instant;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Times come back from their text with all of their parts. */
class TimeTextTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "2026-03-01T12:00:00Z",
                "2026-03-01T12:00:00.100Z",
                "2026-03-01T12:00:00.001Z",
                "2026-03-01T12:00:00.000001Z",
                "2026-03-01T12:00:00.000000001Z",
                "2026-12-31T23:59:59.999999999Z",
                "1969-12-31T23:59:59.5Z",
                "0000-01-01T00:00:00Z",
                "-0001-01-01T00:00:00Z",
                "+10000-01-01T00:00:00.25Z"
            })
    void aMomentComesBackAsItWas(String text) {
        Instant wall = Instant.parse(text);
        assertThat(TimeText.instant(wall.toString())).isEqualTo(wall);
        for (Moment moment : new Moment[] {
            Moment.ofWall(wall), new Moment(wall, "boot 1", -7), new Moment(wall, "", 7), new Moment(wall, "b", 0)
        }) {
            assertThat(TimeText.moment(TimeText.of(moment))).isEqualTo(moment);
        }
    }
}
