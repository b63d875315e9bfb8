package dev.idem.http.webhook;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A Jakarta servlet for an endpoint.
 *
 * <pre>{@code
 * servletContext.addServlet("stripe", new WebhookServlet(stripe)).addMapping("/webhooks/stripe");
 * }</pre>
 *
 * <p>No filter before it may read the body or the parameters of the request. It does not close the endpoint.
 */
public final class WebhookServlet extends HttpServlet {
    private static final long serialVersionUID = 1;

    private final transient WebhookEndpoint endpoint;

    /** A servlet for an endpoint. */
    public WebhookServlet(WebhookEndpoint endpoint) {
        this.endpoint = endpoint;
    }

    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
        if (!request.getMethod().equals("POST")) {
            response.setHeader("Allow", "POST");
            response.setStatus(405);
            return;
        }
        Map<String, List<String>> headers = new TreeMap<>();
        for (String name : Collections.list(request.getHeaderNames())) {
            headers.put(name, Collections.list(request.getHeaders(name)));
        }
        byte[] body = Bodies.read(request.getInputStream(), request.getContentLengthLong(), endpoint.largestBody());
        WebhookAnswer answer = endpoint.receive(headers, body, request.getQueryString());
        response.setStatus(answer.status());
        if (answer.retryAfter() != null) {
            response.setHeader("Retry-After", Long.toString(answer.retryAfter().toSeconds()));
        }
        byte[] bytes = answer.body().getBytes(StandardCharsets.UTF_8);
        if (bytes.length > 0) {
            response.setContentType(answer.contentType());
        }
        response.setContentLength(bytes.length);
        response.getOutputStream().write(bytes);
    }
}
