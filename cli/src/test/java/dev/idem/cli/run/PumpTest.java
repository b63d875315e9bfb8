package dev.idem.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idem.cli.recorded.Recorded;
import dev.idem.cli.recorded.Recording;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** A pump that dies of an error was taken for the end of the output: what it had read so far was recorded as all of it. */
class PumpTest {
    private final Recording recording = new Recording(Recording.CAP);

    /** Reads a line at a time, and fails in place of the second. */
    private static class Lines extends FilterInputStream {
        private int reads;

        Lines() {
            super(new ByteArrayInputStream("one\ntwo\nend\n".getBytes(StandardCharsets.UTF_8)));
        }

        @Override
        public int read(byte[] into, int from, int length) throws IOException {
            int n = super.read(into, from, 4);
            return ++reads == 2 ? second(n) : n;
        }

        int second(int n) {
            return n;
        }
    }

    private Recorded recorded(Lines from, OutputStream to) throws InterruptedException {
        Passage live = new Passage("live", to);
        Pump pump = new Pump("pump", from, live, recording.stdout());
        pump.start();
        assertThat(pump.ended(Duration.ofMinutes(1))).isTrue();
        live.drain();
        return recording.recorded();
    }

    @Test
    void whatIsReadToItsEndIsWhole() throws InterruptedException {
        Recorded all = recorded(new Lines(), OutputStream.nullOutputStream());
        assertThat(all.whole()).isTrue();
        assertThat(all.stdout()).asString().isEqualTo("one\ntwo\nend\n");
    }

    @Test
    void anErrorWhileReadingIsNotTheEndOfTheOutput() throws InterruptedException {
        Lines broken = new Lines() {
            @Override
            int second(int n) {
                throw new OutOfMemoryError("for the test");
            }
        };
        Recorded some = recorded(broken, OutputStream.nullOutputStream());
        assertThat(some.whole()).isFalse();
        assertThat(some.stdout()).isEmpty();
        assertThat(some.whyNotKept()).contains("could not be recorded");
    }

    @Test
    void anErrorWhileRecordingLosesTheRecordAndNotTheRestOfTheOutput() throws InterruptedException {
        Lines broken = new Lines() {
            @Override
            int second(int n) {
                // More than the buffer has: an error when it is kept.
                return 64 * 1024 + 1;
            }
        };
        var passed = new ByteArrayOutputStream();
        Recorded some = recorded(broken, passed);
        assertThat(some.whole()).isFalse();
        assertThat(passed.toString(StandardCharsets.UTF_8)).isEqualTo("one\nend\n");
    }

    @Test
    void aReaderThatFailsWithAnErrorHoldsNobody() throws InterruptedException {
        OutputStream broken = new OutputStream() {
            @Override
            public void write(int b) {
                throw new OutOfMemoryError("for the test");
            }
        };
        assertThat(recorded(new Lines(), broken).whole()).isTrue();
    }
}
