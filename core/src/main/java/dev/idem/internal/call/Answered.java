package dev.idem.internal.call;

import dev.idem.internal.codec.Accessors;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Whether an exception carries an answer of the remote, so that nothing of its request acts any more. Only exceptions that an
 * HTTP client makes from a response count. A status alone proves nothing: servers throw exceptions with one, too, for instance
 * after a time-out of their own request. The packages for TypeScript and Python have the same rule, and read the same cases.
 */
final class Answered {
    private static final int DEEPEST = 10;

    /** The exceptions of clients, with the method that gives the status. */
    private static final Map<String, String> CLIENTS = Map.of(
            "com.anthropic.errors.AnthropicServiceException",
            "statusCode",
            "com.openai.errors.OpenAIServiceException",
            "statusCode",
            "com.google.genai.errors.ApiException",
            "code",
            "com.stripe.exception.StripeException",
            "getStatusCode",
            "dev.langchain4j.exception.HttpException",
            "statusCode",
            "feign.FeignException",
            "status",
            "retrofit2.HttpException",
            "code",
            "software.amazon.awssdk.core.exception.SdkServiceException",
            "statusCode",
            "org.springframework.web.client.RestClientResponseException",
            "getStatusCode",
            "org.springframework.web.reactive.function.client.WebClientResponseException",
            "getStatusCode");

    private Answered() {}

    /** {@code inner} finds exceptions of inner operations, which tell nothing about the operation around them. */
    static boolean isIn(Throwable thrown, Predicate<Throwable> inner) {
        Throwable each = thrown;
        for (int depth = 0; each != null && depth < DEEPEST && !inner.test(each); depth++) {
            Integer status = status(each);
            if (status != null) {
                return isAnswer(status);
            }
            each = each.getCause();
        }
        return false;
    }

    private static @Nullable Integer status(Throwable thrown) {
        for (Class<?> type = thrown.getClass(); type != null; type = type.getSuperclass()) {
            String method = CLIENTS.get(type.getName());
            if (method != null) {
                return Accessors.number(thrown, method);
            }
        }
        return null;
    }

    /** Whether a status ends the work on a request. Gateways give some for requests that they have passed on. */
    static boolean isAnswer(int status) {
        return switch (status) {
            case 408, 499, 502, 503, 504 -> false;
            default -> status >= 400 && status < 520;
        };
    }
}
