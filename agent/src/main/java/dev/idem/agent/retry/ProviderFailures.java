package dev.idem.agent.retry;

import dev.idem.Classifier.Judgement;
import dev.idem.agent.retry.Diagnosis.Outlook;
import dev.idem.internal.codec.Accessors;
import java.util.Set;
import java.util.function.Function;

/** The failures of well-known clients. */
final class ProviderFailures {
    static final Failures HTTP = of(ProviderFailures::http);
    static final Failures ANTHROPIC = of(ProviderFailures::anthropic);
    static final Failures OPENAI = of(ProviderFailures::openAi);
    static final Failures BEDROCK = of(ProviderFailures::aws);
    static final Failures GEMINI = of(ProviderFailures::google);
    static final Failures STRIPE = of(ProviderFailures::stripe);
    static final Failures SPRING = of(ProviderFailures::spring);

    static final Failures KNOWN = of(
            ProviderFailures::anthropic,
            ProviderFailures::openAi,
            ProviderFailures::aws,
            ProviderFailures::google,
            ProviderFailures::stripe,
            ProviderFailures::spring,
            ProviderFailures::http);

    private static final Set<String> AWS_PASSING = Set.of(
            "ThrottlingException",
            "TooManyRequestsException",
            "ModelNotReadyException",
            "ModelTimeoutException",
            "ServiceUnavailableException",
            "InternalServerException",
            "RequestTimeoutException");

    private ProviderFailures() {}

    /** Asks the rules in their order, and then the classification of JDK exceptions. */
    @SafeVarargs
    private static Failures of(Function<Throwable, Diagnosis>... rules) {
        return thrown -> Chain.diagnose(thrown, one -> {
            for (Function<Throwable, Diagnosis> rule : rules) {
                Diagnosis found = rule.apply(one);
                if (found.isKnown()) {
                    return found;
                }
            }
            return NetworkFailures.one(one);
        });
    }

    private static Diagnosis status(Throwable thrown, String... accessors) {
        Integer status = Accessors.number(thrown, accessors);
        return status != null && HttpStatus.isOne(status) ? HttpStatus.diagnose(status) : Diagnosis.NONE;
    }

    private static Diagnosis http(Throwable thrown) {
        return status(thrown, "statusCode", "getStatusCode", "getRawStatusCode");
    }

    private static Diagnosis anthropic(Throwable thrown) {
        return sdk(thrown, "com.anthropic.errors.Anthropic");
    }

    private static Diagnosis openAi(Throwable thrown) {
        Diagnosis found = sdk(thrown, "com.openai.errors.OpenAI");
        boolean spent = found.isKnown() && Accessors.text(thrown, "code").equals("insufficient_quota");
        // The account has no credit: another try does not help.
        return spent ? new Diagnosis(found.judgement(), Outlook.LASTING) : found;
    }

    /** The two SDKs are made by one generator. */
    private static Diagnosis sdk(Throwable thrown, String prefix) {
        if (Accessors.isA(thrown, prefix + "ServiceException")) {
            Integer status = Accessors.number(thrown, "statusCode");
            // In these APIs a conflict is a lock that was not to be had.
            return status != null && status == 409
                    ? Diagnosis.ambiguous(Outlook.PASSING)
                    : status(thrown, "statusCode");
        }
        boolean retryable = Accessors.isA(thrown, prefix + "RetryableException");
        // An IoException is judged by its cause; without one the connection may have broken anywhere.
        boolean bareIo = Accessors.isA(thrown, prefix + "IoException") && thrown.getCause() == null;
        return retryable || bareIo ? Diagnosis.ambiguous(Outlook.PASSING) : Diagnosis.NONE;
    }

    private static Diagnosis aws(Throwable thrown) {
        if (Accessors.isA(thrown, "software.amazon.awssdk.core.exception.SdkServiceException")) {
            Diagnosis byStatus = status(thrown, "statusCode");
            boolean throttled = Boolean.TRUE.equals(Accessors.read(thrown, "isThrottlingException"));
            if (throttled) {
                return Diagnosis.definite(Outlook.PASSING);
            }
            return AWS_PASSING.contains(thrown.getClass().getSimpleName())
                    ? new Diagnosis(byStatus.isKnown() ? byStatus.judgement() : Judgement.AMBIGUOUS, Outlook.PASSING)
                    : byStatus;
        }
        boolean timedOut = thrown.getClass().getName().startsWith("software.amazon.awssdk.core.exception.ApiCall");
        boolean retryable = Accessors.isA(thrown, "software.amazon.awssdk.core.exception.SdkClientException")
                && thrown.getCause() == null
                && Boolean.TRUE.equals(Accessors.read(thrown, "retryable"));
        return timedOut || retryable ? Diagnosis.ambiguous(Outlook.PASSING) : Diagnosis.NONE;
    }

    private static Diagnosis google(Throwable thrown) {
        if (Accessors.isA(thrown, "com.google.genai.errors.ApiException")) {
            return status(thrown, "code");
        }
        boolean gax = Accessors.isA(thrown, "com.google.api.gax.rpc.ApiException");
        Object code = gax ? Accessors.read(thrown, "getStatusCode") : null;
        return code == null ? Diagnosis.NONE : ofGrpc(Accessors.text(code, "getCode"));
    }

    private static Diagnosis stripe(Throwable thrown) {
        if (Accessors.isA(thrown, "com.stripe.exception.ApiConnectionException")) {
            // Judged by its cause where it has one.
            return thrown.getCause() == null ? Diagnosis.ambiguous(Outlook.PASSING) : Diagnosis.NONE;
        }
        if (!Accessors.isA(thrown, "com.stripe.exception.StripeException")) {
            return Diagnosis.NONE;
        }
        Integer status = Accessors.number(thrown, "getStatusCode");
        // Under the same key another request is being worked on: this one's effect may come of it.
        return status != null && status == 409 ? Diagnosis.ambiguous(Outlook.PASSING) : status(thrown, "getStatusCode");
    }

    private static Diagnosis spring(Throwable thrown) {
        if (Accessors.isA(thrown, "org.springframework.web.client.RestClientResponseException")
                || Accessors.isA(
                        thrown, "org.springframework.web.reactive.function.client.WebClientResponseException")) {
            return status(thrown, "getStatusCode", "getRawStatusCode");
        }
        if (Accessors.isA(thrown, "org.springframework.ai.retry.TransientAiException")) {
            return Diagnosis.ambiguous(Outlook.PASSING);
        }
        return Accessors.isA(thrown, "org.springframework.ai.retry.NonTransientAiException")
                ? Diagnosis.ambiguous(Outlook.LASTING)
                : Diagnosis.NONE;
    }

    private static Diagnosis ofGrpc(String code) {
        return switch (code) {
            case "RESOURCE_EXHAUSTED" -> Diagnosis.definite(Outlook.PASSING);
            case "UNAVAILABLE", "DEADLINE_EXCEEDED", "INTERNAL", "ABORTED" -> Diagnosis.ambiguous(Outlook.PASSING);
            case "INVALID_ARGUMENT",
                    "NOT_FOUND",
                    "PERMISSION_DENIED",
                    "UNAUTHENTICATED",
                    "FAILED_PRECONDITION",
                    "OUT_OF_RANGE",
                    "UNIMPLEMENTED" -> Diagnosis.definite(Outlook.LASTING);
            default -> Diagnosis.NONE;
        };
    }
}
