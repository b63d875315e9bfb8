package dev.idem.agent.retry;

import dev.idem.Classifier;
import dev.idem.agent.retry.Diagnosis.Outlook;
import java.util.function.Predicate;

/**
 * Classifies failures: whether another try may succeed, and whether anything happened. It is also a {@link Classifier}
 * for policies: {@code Policy.write().classify(Failures.known())}.
 *
 * <p>Exceptions of clients are recognised by their class names and accessors, so no client is needed on the class path.
 * Switch the retries of the client off (most call it {@code maxRetries(0)}): a client shows its last failure only, and a
 * refused connection would hide the time-out before it.
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

    /** Asks this one first, and the other one for failures that this one does not know. */
    default Failures or(Failures other) {
        return thrown -> {
            Diagnosis mine = diagnose(thrown);
            return mine.isKnown() ? mine : other.diagnose(thrown);
        };
    }

    /** Declares failures as passing. It does not decide whether anything happened. */
    static Failures passingIf(Predicate<? super Throwable> condition) {
        return thrown -> condition.test(thrown) ? new Diagnosis(Judgement.UNDECIDED, Outlook.PASSING) : Diagnosis.NONE;
    }

    /** Declares failures as lasting. It does not decide whether anything happened. */
    static Failures lastingIf(Predicate<? super Throwable> condition) {
        return thrown -> condition.test(thrown) ? new Diagnosis(Judgement.UNDECIDED, Outlook.LASTING) : Diagnosis.NONE;
    }

    /** All classifications below, the most specific first. */
    static Failures known() {
        return ProviderFailures.KNOWN;
    }

    /** Exceptions of the JDK: no connection (definite), a time-out or a broken connection (ambiguous). */
    static Failures network() {
        return NetworkFailures.INSTANCE;
    }

    /** Exceptions with an HTTP status, and exceptions of the JDK. */
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
