package dev.idem.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class FailureTest {
    /** The cut went through a surrogate pair, and ledgers that keep UTF-8 could not write what was left of it. */
    @Test
    void aLongMessageIsCutIntoSomethingThatCanBeWritten() {
        String message = "x".repeat(3_999) + "🐎" + "y".repeat(100);

        assertThat(writable(Failure.of(new IOException(message)).message()))
                .startsWith("x".repeat(3_999))
                .endsWith("(4101 characters)");
    }

    @Test
    void halfACharacterBecomesAQuestionMark() {
        assertThat(writable(Failure.of(new IOException("bad \ud83d text")).message()))
                .isEqualTo("bad ? text");
    }

    @Test
    void wholeCharactersStayAsTheyAre() {
        assertThat(Failure.of(new IOException("žluťoučký 🐎")).message()).isEqualTo("žluťoučký 🐎");
    }

    /** It was written, and the row could not be read again. */
    @Test
    @SuppressWarnings("NullAway") // what a caller without such checks may do
    void nothingInsteadOfATextIsRefused() {
        assertThatNullPointerException()
                .isThrownBy(() -> new Failure("failed", null))
                .withMessageContaining("message");
        assertThatNullPointerException().isThrownBy(() -> new Failure(null, "")).withMessageContaining("type");
    }

    private static String writable(String text) {
        assertThat(new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8))
                .isEqualTo(text);
        return text;
    }
}
