package dev.idem.spring;

import dev.idem.Address;
import dev.idem.Json;
import dev.idem.JsonException;
import dev.idem.Resolution;
import dev.idem.http.StoredResponse;
import java.util.Map;
import java.util.Objects;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * How a person ends a doubt.
 *
 * @param as the word for it
 */
record Decision(String as, Predicate<Resolution> how) {
    private static final String COMPLETE = "complete";

    /**
     * Reads a decision. The result of a request is the response that its client gets.
     *
     * @throws IllegalArgumentException when it is not one; the message says what to send
     */
    static Decision of(
            Address address,
            @Nullable String as,
            @Nullable String result,
            @Nullable String status,
            @Nullable String contentType) {
        boolean isRequest = StoredResponse.answers(address);
        if (!isRequest && (status != null || contentType != null)) {
            throw new IllegalArgumentException(
                    "'status' and 'contentType' are for entries of HTTP requests, and " + address + " is not one");
        }
        if (COMPLETE.equals(as)) {
            Object value = isRequest ? response(result, status, contentType) : value(result);
            return new Decision(COMPLETE, resolution -> resolution.asComplete(value));
        } else if (result != null || status != null || contentType != null) {
            throw new IllegalArgumentException("'result', 'status' and 'contentType' go with \"as\": \"complete\"");
        }
        return switch (Objects.requireNonNullElse(as, "")) {
            case "complete_without_result" -> new Decision("complete", Resolution::asCompleteWithoutResult);
            case "failed" -> new Decision("failed", Resolution::asFailed);
            default ->
                throw new IllegalArgumentException(
                        "'as' has to be complete (it took effect), complete_without_result (it "
                                + "took effect, and the result is unknown) or failed (it did not take effect, and no longer can)");
        };
    }

    boolean write(Resolution resolution) {
        return how.test(resolution);
    }

    private static @Nullable Object value(@Nullable String result) {
        if (result == null) {
            throw new IllegalArgumentException(
                    "'result' is missing: the result as JSON text, which later calls get. Send "
                            + "\"null\" for an action without a result; if the result is unknown, send \"as\": "
                            + "\"complete_without_result\"");
        }
        return json(result);
    }

    private static StoredResponse response(
            @Nullable String result, @Nullable String status, @Nullable String contentType) {
        int code = status(status);
        if (result == null && status == null) {
            throw new IllegalArgumentException("'result' is missing: the body of the response, as JSON text, which the "
                    + "client gets when it sends the request again. For a response without a body send 'status' alone");
        } else if (result == null) {
            return new StoredResponse(1, code, Map.of(), "text", "");
        } else if (contentType == null) {
            Object unused = json(result);
        }
        return StoredResponse.text(code, Objects.requireNonNullElse(contentType, "application/json"), result);
    }

    private static int status(@Nullable String status) {
        String text = Objects.requireNonNullElse(status, "200");
        if (!text.matches("[2-5][0-9][0-9]")) {
            throw new IllegalArgumentException("'status' is the status of the response, a number from 200 to 599");
        }
        return Integer.parseInt(text);
    }

    private static @Nullable Object json(String result) {
        try {
            return Json.parse(result);
        } catch (JsonException e) {
            throw new IllegalArgumentException(
                    "'result' is not JSON text. Send a JSON value as a string, for instance \"result\": "
                            + "\"{\\\"order\\\":7}\", and a text in quotes of its own: \"result\": \"\\\"ch_1\\\"\"",
                    e);
        }
    }
}
