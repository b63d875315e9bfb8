package dev.idem.internal.call;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idem.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class AnsweredTest {
    private static final Path CASES = Path.of("..", "clients", "ending-cases.jsonl");

    /** The tests of the packages for TypeScript and Python read the same cases. */
    @Test
    void onlySomeStatusesEndTheWorkOnARequest() throws IOException {
        List<String> lines = Files.readAllLines(CASES);
        assertThat(lines).hasSizeGreaterThan(10);
        for (String line : lines) {
            Map<?, ?> one = (Map<?, ?>) Json.parse(line);
            int status = ((Number) one.get("status")).intValue();
            assertThat(Answered.isAnswer(status)).as(line).isEqualTo(one.get("ended"));
        }
    }

    /** A server's own exception has a status, and is no answer of the remote. */
    @Test
    void aStatusAloneIsNoAnswer() {
        assertThat(Answered.isIn(new OwnException(), inner -> false)).isFalse();
        assertThat(Answered.isIn(new IllegalStateException(new IOException("reset")), inner -> false))
                .isFalse();
    }

    /** As servers throw it. */
    public static final class OwnException extends RuntimeException {
        private static final long serialVersionUID = 1;

        public int getStatusCode() {
            return 500;
        }
    }
}
