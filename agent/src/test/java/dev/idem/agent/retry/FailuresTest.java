package dev.idem.agent.retry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import com.anthropic.errors.AnthropicIoException;
import com.anthropic.errors.AnthropicServiceException;
import com.anthropic.errors.Headers;
import com.google.api.gax.rpc.ApiException.StatusCode.Code;
import com.openai.errors.OpenAIServiceException;
import com.stripe.exception.ApiConnectionException;
import com.stripe.exception.StripeException;
import dev.idem.Address;
import dev.idem.Classifier.Judgement;
import dev.idem.NotExecutedException;
import dev.idem.UnrecordedException;
import dev.idem.agent.retry.Diagnosis.Outlook;
import dev.idem.spi.Fence;
import dev.idem.spi.Ticket;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpTimeoutException;
import java.nio.file.NoSuchFileException;
import java.security.cert.CertificateException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import javax.net.ssl.SSLHandshakeException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.web.client.RestClientResponseException;
import software.amazon.awssdk.core.exception.SdkServiceException;

class FailuresTest {
    private static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");

    private static Throwable untrusted() {
        return new SSLHandshakeException("PKIX path building failed").initCause(new CertificateException("no path"));
    }

    @ParameterizedTest
    @CsvSource({
        "400, DEFINITE, LASTING",
        "401, DEFINITE, LASTING",
        "402, DEFINITE, LASTING",
        "404, DEFINITE, LASTING",
        "408, AMBIGUOUS, PASSING",
        "409, AMBIGUOUS, UNKNOWN",
        "422, DEFINITE, LASTING",
        "425, DEFINITE, PASSING",
        "429, DEFINITE, PASSING",
        "500, AMBIGUOUS, PASSING",
        "501, DEFINITE, LASTING",
        "502, AMBIGUOUS, PASSING",
        "503, AMBIGUOUS, PASSING",
        "504, AMBIGUOUS, PASSING",
        "529, AMBIGUOUS, PASSING",
        "200, UNDECIDED, UNKNOWN",
        "302, UNDECIDED, UNKNOWN",
        "-1, UNDECIDED, UNKNOWN",
        "6000, UNDECIDED, UNKNOWN"
    })
    void statuses(int status, Judgement judgement, Outlook outlook) {
        assertThat(HttpStatus.diagnose(status)).isEqualTo(new Diagnosis(judgement, outlook));
        assertThat(Failures.http().diagnose(new Answered(status))).isEqualTo(new Diagnosis(judgement, outlook));
    }

    static List<Arguments> network() {
        return List.of(
                arguments(new ConnectException("refused"), "DEFINITE PASSING"),
                arguments(new UnknownHostException("nowhere"), "DEFINITE PASSING"),
                arguments(new HttpConnectTimeoutException("slow"), "DEFINITE PASSING"),
                arguments(new NotExecutedException("busy"), "DEFINITE PASSING"),
                arguments(new UncheckedIOException(new ConnectException("refused")), "DEFINITE PASSING"),
                arguments(new CompletionException(new ConnectException("refused")), "DEFINITE PASSING"),
                arguments(new SocketTimeoutException("slow"), "AMBIGUOUS PASSING"),
                arguments(new HttpTimeoutException("slow"), "AMBIGUOUS PASSING"),
                arguments(new TimeoutException("slow"), "AMBIGUOUS PASSING"),
                arguments(new SocketException("reset"), "AMBIGUOUS PASSING"),
                arguments(new IOException("broken pipe"), "AMBIGUOUS PASSING"),
                arguments(new InterruptedException(), "AMBIGUOUS UNKNOWN"),
                arguments(new SSLHandshakeException("alert of the remote"), "AMBIGUOUS UNKNOWN"),
                arguments(untrusted(), "DEFINITE LASTING"),
                arguments(new IOException(untrusted()), "DEFINITE LASTING"),
                arguments(new IOException(new CertificateException("of something else")), "AMBIGUOUS PASSING"),
                arguments(new FileNotFoundException("gone"), "UNDECIDED UNKNOWN"),
                arguments(new NoSuchFileException("gone"), "UNDECIDED UNKNOWN"),
                arguments(new IllegalStateException("a bug"), "UNDECIDED UNKNOWN"));
    }

    @ParameterizedTest
    @MethodSource("network")
    void theJdksExceptions(Throwable thrown, String expected) {
        assertThat(words(Failures.network(), thrown)).isEqualTo(expected);
        assertThat(words(Failures.known(), thrown)).isEqualTo(expected);
    }

    static Stream<Arguments> clients() {
        Headers none = new Headers(Map.of());
        return Stream.of(
                arguments(Failures.anthropic(), new AnthropicServiceException(429, none), "DEFINITE PASSING"),
                arguments(Failures.anthropic(), new AnthropicServiceException(529, none), "AMBIGUOUS PASSING"),
                arguments(Failures.anthropic(), new AnthropicServiceException(409, none), "AMBIGUOUS PASSING"),
                arguments(Failures.anthropic(), new AnthropicServiceException(400, none), "DEFINITE LASTING"),
                arguments(
                        Failures.anthropic(),
                        new AnthropicIoException(new SocketTimeoutException("read")),
                        "AMBIGUOUS PASSING"),
                arguments(
                        Failures.anthropic(),
                        new AnthropicIoException(new ConnectException("refused")),
                        "DEFINITE PASSING"),
                arguments(Failures.anthropic(), new AnthropicIoException(null), "AMBIGUOUS PASSING"),
                arguments(Failures.openAi(), new OpenAIServiceException(429, null), "DEFINITE PASSING"),
                arguments(Failures.openAi(), new OpenAIServiceException(429, "insufficient_quota"), "DEFINITE LASTING"),
                arguments(Failures.openAi(), new OpenAIServiceException(500, null), "AMBIGUOUS PASSING"),
                arguments(Failures.bedrock(), new SdkServiceException(400, true), "DEFINITE PASSING"),
                arguments(Failures.bedrock(), new SdkServiceException(400, false), "DEFINITE LASTING"),
                arguments(Failures.bedrock(), new ModelTimeoutException(), "AMBIGUOUS PASSING"),
                arguments(Failures.gemini(), new com.google.genai.errors.ApiException(503), "AMBIGUOUS PASSING"),
                arguments(Failures.gemini(), gax(Code.RESOURCE_EXHAUSTED), "DEFINITE PASSING"),
                arguments(Failures.gemini(), gax(Code.UNAVAILABLE), "AMBIGUOUS PASSING"),
                arguments(Failures.gemini(), gax(Code.NOT_FOUND), "DEFINITE LASTING"),
                arguments(Failures.stripe(), new StripeException(402, null), "DEFINITE LASTING"),
                arguments(Failures.stripe(), new StripeException(409, null), "AMBIGUOUS PASSING"),
                arguments(Failures.stripe(), new StripeException(500, null), "AMBIGUOUS PASSING"),
                arguments(Failures.stripe(), new StripeException(null, null), "UNDECIDED UNKNOWN"),
                arguments(
                        Failures.stripe(),
                        new ApiConnectionException(new ConnectException("refused")),
                        "DEFINITE PASSING"),
                arguments(Failures.stripe(), new ApiConnectionException(null), "AMBIGUOUS PASSING"),
                arguments(Failures.spring(), new RestClientResponseException(503, Map.of()), "AMBIGUOUS PASSING"),
                arguments(Failures.spring(), new RestClientResponseException(404, Map.of()), "DEFINITE LASTING"));
    }

    @ParameterizedTest
    @MethodSource("clients")
    void theClientsOwnExceptions(Failures failures, Throwable thrown, String expected) {
        assertThat(words(failures, thrown)).isEqualTo(expected);
        assertThat(words(Failures.known(), thrown)).isEqualTo(expected);
        assertThat(words(failures, new IllegalStateException("wrapped", thrown)))
                .isEqualTo(expected);
    }

    /** A client that tried twice shows its last failure, and has the earlier ones attached. */
    @Test
    void whatAClientSuppressedMayHaveHappened() {
        ConnectException last = new ConnectException("refused");
        last.addSuppressed(new SocketTimeoutException("the first time"));
        StripeException refused = new StripeException(429, null);
        refused.addSuppressed(new SocketTimeoutException("the first time"));

        assertThat(words(Failures.known(), last)).isEqualTo("AMBIGUOUS PASSING");
        assertThat(words(Failures.stripe(), refused)).isEqualTo("AMBIGUOUS PASSING");
    }

    /** The refused connection was to the ledger: the effect itself had taken place. */
    @Test
    void whatStandsBehindIdemsOwnExceptionsIsNotLookedAt() {
        Ticket ticket = new Ticket(new Address("s", "charge", "k"), new Fence(1));
        Throwable unrecorded = new UnrecordedException(ticket, "ch_1", new ConnectException("refused"));

        assertThat(words(Failures.known(), unrecorded)).isEqualTo("UNDECIDED UNKNOWN");
        assertThat(words(Failures.known(), new IllegalStateException(unrecorded)))
                .isEqualTo("UNDECIDED UNKNOWN");
    }

    @Test
    void causesThatGoInACircleEnd() {
        Exception one = new IllegalStateException("one");
        Exception two = new IllegalStateException("two", one);
        one.initCause(two);

        assertThat(words(Failures.known(), one)).isEqualTo("UNDECIDED UNKNOWN");
    }

    @Test
    void onesOwnRulesComeFirst() {
        Failures mine = Failures.passingIf(thrown -> thrown instanceof IllegalStateException)
                .or(Failures.lastingIf(thrown -> thrown instanceof ConnectException))
                .or(Failures.known());

        assertThat(mine.passing(new IllegalStateException())).isTrue();
        assertThat(mine.judge(new IllegalStateException())).isEqualTo(Judgement.UNDECIDED);
        assertThat(mine.passing(new ConnectException())).isFalse();
        assertThat(mine.passing(new SocketTimeoutException())).isTrue();
    }

    @Test
    void theRemotesWishIsReadFromTheHeaders() {
        RetryAfter headers = RetryAfter.headers();
        Headers seconds = new Headers(Map.of("retry-after", "7"));
        Headers millis = new Headers(Map.of("retry-after", "7", "retry-after-ms", "1500"));

        assertThat(headers.of(new AnthropicServiceException(429, seconds), NOW)).contains(Duration.ofSeconds(7));
        assertThat(headers.of(new AnthropicServiceException(429, millis), NOW)).contains(Duration.ofMillis(1500));
        assertThat(headers.of(new RestClientResponseException(503, Map.of("retry-after", List.of("3"))), NOW))
                .contains(Duration.ofSeconds(3));
        assertThat(headers.of(new CompletionException(new AnthropicServiceException(429, seconds)), NOW))
                .contains(Duration.ofSeconds(7));
        assertThat(headers.of(new IOException("none"), NOW)).isEmpty();
        assertThat(RetryAfter.ignored().of(new AnthropicServiceException(429, seconds), NOW))
                .isEmpty();
    }

    @Test
    void aDateIsRelativeToNow() {
        assertThat(RetryAfter.parse("Sun, 1 Mar 2026 12:00:30 GMT", NOW)).contains(Duration.ofSeconds(30));
        assertThat(RetryAfter.parse("Sun, 1 Mar 2026 11:00:00 GMT", NOW)).contains(Duration.ZERO);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "soon", "-1", "1.5", "9999999999999999999", "Sun, 1 Mar"})
    void aWishThatCannotBeReadIsNone(String value) {
        assertThat(RetryAfter.parse(value, NOW)).isEmpty();
    }

    private static String words(Failures failures, Throwable thrown) {
        Diagnosis diagnosis = failures.diagnose(thrown);
        return diagnosis.judgement() + " " + diagnosis.outlook();
    }

    private static com.google.api.gax.rpc.ApiException gax(Code code) {
        return new com.google.api.gax.rpc.ApiException(code);
    }

    /** An exception of a client that nobody has heard of. */
    public static final class Answered extends RuntimeException {
        private static final long serialVersionUID = 1;

        private final int status;

        Answered(int status) {
            this.status = status;
        }

        public int getStatusCode() {
            return status;
        }
    }

    /** Bedrock's own, whose status is that of a request that ran out of time. */
    public static final class ModelTimeoutException extends SdkServiceException {
        private static final long serialVersionUID = 1;

        ModelTimeoutException() {
            super(408, false);
        }
    }
}
