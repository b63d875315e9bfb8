package dev.idem.http.servlet;

import dev.idem.Idem;
import dev.idem.NotExecutedException;
import dev.idem.http.HttpGuard;
import dev.idem.http.HttpRules;
import dev.idem.http.Response;
import dev.idem.http.suite.HttpSurface;
import dev.idem.http.suite.Received;
import dev.idem.http.suite.Sent;
import dev.idem.http.suite.Work;
import jakarta.servlet.Filter;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Map;
import java.util.function.Supplier;

/** The filter in a real container, asked by a real client. */
record ServletSurface(Container container, Runnable closing, HttpClient client) implements HttpSurface {
    static HttpSurface open(Container.Starter starter, HttpRules rules, Supplier<Work> handler) throws Exception {
        Idem idem = Idem.builder().ledger("memory:").quiet().open();
        IdemFilter filter = new IdemFilter(new HttpGuard(idem, rules)).route(ServletSurface::route);
        return open(starter, filter, handler, idem::close);
    }

    static HttpSurface open(Container.Starter starter, Filter filter, Supplier<Work> handler, Runnable closing)
            throws Exception {
        Container container = starter.start(filter, new Worker(handler));
        return new ServletSurface(container, closing, container.client());
    }

    private static String route(HttpServletRequest request) {
        return request.getPathInfo().replaceAll("/\\d+(?=/|$)", "/{id}");
    }

    @Override
    public Received send(Sent sent) throws Exception {
        String target = sent.path() + (sent.query().isEmpty() ? "" : "?" + sent.query());
        HttpRequest.Builder request = HttpRequest.newBuilder(
                        URI.create("http://127.0.0.1:" + container.port() + target))
                .method(sent.method(), BodyPublishers.ofByteArray(sent.body()))
                .header("X-Caller", sent.caller());
        for (Map.Entry<String, String> header : sent.headers()) {
            request.header(header.getKey(), header.getValue());
        }
        HttpResponse<byte[]> response = client.send(request.build(), BodyHandlers.ofByteArray());
        return new Received(response.statusCode(), response.headers().map(), response.body());
    }

    @Override
    public void close() {
        container.close();
        closing.run();
    }

    /** Does the next work of the suite. */
    private static final class Worker extends HttpServlet {
        private static final long serialVersionUID = 1;
        private final transient Supplier<Work> handler;

        Worker(Supplier<Work> handler) {
            this.handler = handler;
        }

        @Override
        protected void service(HttpServletRequest request, HttpServletResponse response)
                throws ServletException, IOException {
            if (request.getRequestURI().equals("/error")) {
                return;
            }
            Work work = handler.get();
            if (work.response().isNotExecuted()) {
                IdemFilter.notExecuted(request);
            }
            work.response().doubt().ifPresent(why -> IdemFilter.rolledBack(request, why));
            switch (work.how()) {
                case THROWS -> throw new IOException("the connection was lost");
                case THROWS_NOT_EXECUTED -> {
                    setHeaders(work.response(), response);
                    throw new ServletException("wrapped", new NotExecutedException("the database is full"));
                }
                case ANSWERS_HEADERS_LAST -> {
                    response.setStatus(work.response().status());
                    response.setContentType(
                            String.join(",", work.response().headers().get("Content-Type")));
                    response.getOutputStream().write(work.response().body());
                    setHeaders(work.response(), response);
                }
                case ANSWERS -> write(work.response(), response);
                case STREAMS -> {
                    write(work.response(), response);
                    response.flushBuffer();
                }
            }
        }

        private static void write(Response from, HttpServletResponse to) throws IOException {
            setHeaders(from, to);
            to.getOutputStream().write(from.body());
        }

        private static void setHeaders(Response from, HttpServletResponse to) {
            to.setStatus(from.status());
            from.headers().forEach((name, lines) -> {
                to.setHeader(name, lines.get(0));
                lines.stream().skip(1).forEach(more -> to.addHeader(name, more));
            });
        }
    }
}
