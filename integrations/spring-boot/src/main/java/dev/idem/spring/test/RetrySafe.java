package dev.idem.spring.test;

import dev.idem.http.HttpGuard;
import dev.idem.http.HttpRules;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.mock.web.MockHttpServletResponse;
import org.springframework.test.web.servlet.MockMvc;
import org.springframework.test.web.servlet.MvcResult;
import org.springframework.test.web.servlet.RequestBuilder;
import org.springframework.web.context.WebApplicationContext;
import org.springframework.web.context.support.WebApplicationContextUtils;

/** Asserts that a client may send a request again. */
public final class RetrySafe {
    private RetrySafe() {}

    /**
     * Sends a request twice with one new idempotency key, and asserts that the handler ran once: the second response is a
     * replay with the status and the body of the first.
     *
     * <pre>{@code
     * assertRetrySafe(mockMvc, post("/orders").principal(() -> "ann").contentType(APPLICATION_JSON).content(order));
     * }</pre>
     *
     * @return the first response, for further assertions
     * @throws AssertionError if the two differ, or the handler ran again; the message says what to do
     */
    public static MvcResult assertRetrySafe(MockMvc mvc, RequestBuilder request) throws Exception {
        KeyedRequest keyed = new KeyedRequest(request, UUID.randomUUID().toString());
        MvcResult result = mvc.perform(keyed).andReturn();
        MockHttpServletResponse first = result.getResponse();
        if (result.getRequest().isAsyncStarted()) {
            throw new AssertionError(
                    "the handler is asynchronous, and MockMvc does not wait for it; send the request to"
                            + " a server on a real port instead");
        } else if (isProblem(first)) {
            throw new AssertionError("the first request was refused" + told(first)
                    + ". Give the request what is missing, for instance a caller: .principal(() -> \"ann\")");
        }
        MockHttpServletResponse second = mvc.perform(keyed).andReturn().getResponse();
        HttpRules rules = rules(result);
        if (isProblem(second)) {
            throw new AssertionError("the second request was refused" + told(second) + ". The first one got "
                    + first.getStatus() + told(first));
        } else if (!"true".equals(second.getHeader(rules.replayedHeader()))) {
            throw new AssertionError(
                    "the handler ran twice: the second response has no header " + rules.replayedHeader()
                            + ". Add the filters of the application to MockMvc (@AutoConfigureMockMvc does), and check that"
                            + " idem.http.paths has the path and that the method is guarded");
        } else if (first.getStatus() != second.getStatus()) {
            throw new AssertionError(
                    "the first status is " + first.getStatus() + ", the second is " + second.getStatus());
        } else if (!Arrays.equals(first.getContentAsByteArray(), second.getContentAsByteArray())) {
            throw new AssertionError("the bodies differ: first" + told(first) + ", second" + told(second));
        }
        return result;
    }

    private static boolean isProblem(MockHttpServletResponse response) {
        return text(response).contains("urn:idem:problem:");
    }

    private static String told(MockHttpServletResponse response) {
        return ": " + response.getStatus() + " " + text(response);
    }

    private static String text(MockHttpServletResponse response) {
        return new String(response.getContentAsByteArray(), StandardCharsets.UTF_8);
    }

    static HttpRules rules(MvcResult result) {
        return rules(WebApplicationContextUtils.getWebApplicationContext(
                result.getRequest().getServletContext()));
    }

    static HttpRules rules(@Nullable WebApplicationContext context) {
        HttpGuard guard = context == null
                ? null
                : context.getBeanProvider(HttpGuard.class).getIfUnique();
        return guard == null ? HttpRules.ietf() : guard.rules();
    }
}
