package dev.idem.agent.retry;

import dev.idem.Classifier;
import dev.idem.agent.retry.Diagnosis.Outlook;
import java.util.function.Predicate;

/**
 * Knows what failures mean: whether another try may go better, and whether anything happened. As a {@link Classifier}
 * it is also what an operation is judged by: {@code .classify(Failures.known())}.
 *
 * <p>Clients are told by the names of their exception classes and by their accessors, so none of them is needed on the
 * class path. A client that tries again by itself shows its last failure only: switch that off (most call it
 * {@code maxRetries(0)}), or a refused connection hides the time-out before it.
 */
public interface Failures extends Classifier {
    Diagnosis diagnose(Throwable thrown);

    @Override
    default Judgement judge(Throwable thrown) {
        return diagnose(thrown).judgement();
    }

    /** Whether another try may go better. */
    default boolean passing(Throwable thrown) {
        return diagnose(thrown).outlook() == Outlook.PASSING;
    }

    /** Asks this one first, and the other where this one knows nothing. */
    default Failures or(Failures other) {
        return thrown -> {
            Diagnosis mine = diagnose(thrown);
            return mine.isKnown() ? mine : other.diagnose(thrown);
        };
    }

    /** Holds failures to be passing, and says nothing about whether anything happened. */
    static Failures passingIf(Predicate<? super Throwable> condition) {
        return thrown -> condition.test(thrown) ? new Diagnosis(Judgement.UNDECIDED, Outlook.PASSING) : Diagnosis.NONE;
    }

    /** Holds failures to be lasting, and says nothing about whether anything happened. */
    static Failures lastingIf(Predicate<? super Throwable> condition) {
        return thrown -> condition.test(thrown) ? new Diagnosis(Judgement.UNDECIDED, Outlook.LASTING) : Diagnosis.NONE;
    }

    /** All of those below, the most particular first. */
    static Failures known() {
        return ProviderFailures.KNOWN;
    }

    /** What the JDK throws: no connection was made (definite), a time-out or a broken connection (ambiguous). */
    static Failures network() {
        return NetworkFailures.INSTANCE;
    }

    /** Any exception that carries an HTTP status, and what the JDK throws. */
    static Failures http() {
        return ProviderFailures.HTTP;
    }

    /** The Anthropic Java SDK. */
    static Failures anthropic() {
        return ProviderFailures.ANTHROPIC;
    }

    /** The OpenAI Java SDK. */
    static Failures openAi() {
        return ProviderFailures.OPENAI;
    }

    /** Amazon Bedrock through the AWS SDK for Java 2. */
    static Failures bedrock() {
        return ProviderFailures.BEDROCK;
    }

    /** Gemini through the Google GenAI SDK or the gRPC clients of Google Cloud. */
    static Failures gemini() {
        return ProviderFailures.GEMINI;
    }

    /** The Stripe Java library. */
    static Failures stripe() {
        return ProviderFailures.STRIPE;
    }

    /** Spring's {@code RestClient}, {@code RestTemplate} and {@code WebClient}, and Spring AI. */
    static Failures spring() {
        return ProviderFailures.SPRING;
    }
}
