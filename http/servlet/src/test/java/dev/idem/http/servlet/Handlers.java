package dev.idem.http.servlet;

import dev.idem.NotExecutedException;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.Cookie;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.Part;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Collections;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Handlers that use servlets in all the ways that are known to break filters, by path. Each answer has a number of its own. */
final class Handlers extends HttpServlet {
    private static final long serialVersionUID = 1;
    private static final byte[] CHUNK = new byte[64 * 1024];

    final AtomicInteger runs = new AtomicInteger();
    final transient CountDownLatch entered = new CountDownLatch(1);
    final transient CountDownLatch gate = new CountDownLatch(1);
    volatile boolean pagesFail;
    private final AtomicInteger pages = new AtomicInteger();

    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response)
            throws ServletException, IOException {
        String path = request.getRequestURI();
        if (request.getDispatcherType() == DispatcherType.ERROR) {
            if (pagesFail) {
                throw new ServletException("the page is broken");
            }
            response.setContentType("application/json");
            response.getWriter().write("{\"page\":" + pages.incrementAndGet() + "}");
            return;
        } else if (request.getDispatcherType() == DispatcherType.ASYNC) {
            if (path.equals("/dispatch-error")) {
                response.sendError(402, "no money");
            } else if (path.startsWith("/dispatch-size")) {
                response.getWriter().write("dispatched " + size(request.getInputStream()));
            } else {
                response.getWriter().write("dispatched " + runs.get());
            }
            return;
        }
        int run = runs.incrementAndGet();
        switch (path) {
            case "/writer" -> {
                response.setContentType("text/plain;charset=utf-8");
                response.getWriter().write("grün " + run);
                response.flushBuffer();
            }
            case "/send-error" -> response.sendError(402, "no money " + run);
            case "/error-without-page" -> response.sendError(418, "a teapot " + run);
            case "/nothing" -> response.setStatus(204);
            case "/redirect" -> response.sendRedirect("/orders/" + run);
            case "/reset" -> {
                response.getWriter().write("wrong");
                response.reset();
                response.setStatus(201);
                response.getWriter().write("right " + run);
            }
            case "/form" ->
                response.getWriter()
                        .write(String.join(",", request.getParameterValues("item"))
                                + request.getParameter("from")
                                + run);
            case "/form-bytes" -> {
                response.getOutputStream().write(request.getInputStream().readAllBytes());
                response.getOutputStream().write(run);
            }
            case "/parts" -> {
                for (Part part : request.getParts()) {
                    response.getWriter().write(part.getName() + "=" + part.getSize() + ";");
                }
                response.getWriter().write(request.getParameter("note") + run);
            }
            case "/headers" ->
                response.getWriter()
                        .write(run + " " + request.getHeader("Accept-Encoding") + request.getHeader("Range")
                                + request.getHeader("If-None-Match")
                                + Collections.list(request.getHeaderNames()).contains("if-none-match"));
            case "/size" -> response.getWriter().write(run + " " + size(request.getInputStream()));
            case "/download" -> download(response.getOutputStream(), Long.parseLong(request.getQueryString()));
            case "/events" -> {
                response.setContentType("text/event-stream");
                response.getWriter().write("data: 1\n\n");
                response.flushBuffer();
                await(gate);
                response.getWriter().write("data: 2\n\n");
            }
            case "/slow" -> {
                entered.countDown();
                await(gate);
                response.getWriter().write("slow " + run);
            }
            case "/async" -> {
                AsyncContext async = request.startAsync();
                async.start(() -> {
                    try {
                        async.getResponse().getWriter().write("async " + run);
                    } catch (IOException e) {
                        throw new IllegalStateException(e);
                    }
                    async.complete();
                });
            }
            case "/dispatch", "/dispatch-error", "/dispatch-size" -> {
                AsyncContext async = request.startAsync(request, response);
                async.start(async::dispatch);
            }
            case "/dispatch-size-of-the-container" -> {
                AsyncContext async = request.startAsync();
                async.start(async::dispatch);
            }
            case "/late" -> {
                AsyncContext async = request.startAsync();
                async.setTimeout(50);
                async.addListener(new TooLate("late " + run));
            }
            case "/late-with-response" -> {
                AsyncContext async = request.startAsync(request, response);
                async.setTimeout(50);
                async.addListener(new TooLate("late " + run), request, response);
            }
            case "/never" -> request.startAsync().setTimeout(50);
            case "/zipped" -> {
                response.setContentType("application/json");
                response.setHeader("Content-Encoding", "gzip");
                response.addHeader("X-Trace", "of the handler");
                response.addCookie(new Cookie("basket", "1"));
                response.getOutputStream().write(1);
                throw new NotExecutedException("sold out");
            }
            case "/half" ->
                throw new IllegalStateException(
                        "charged, but no mail " + run, new NotExecutedException("no mail server"));
            default -> throw new ServletException("broken " + run);
        }
    }

    /** Answers and ends asynchronous work that takes too long, through the context that its event brings. */
    private record TooLate(String text) implements AsyncListener {
        @Override
        public void onTimeout(AsyncEvent event) throws IOException {
            HttpServletResponse response =
                    (HttpServletResponse) event.getAsyncContext().getResponse();
            response.setStatus(422);
            response.getWriter().write(text);
            event.getAsyncContext().complete();
        }

        @Override
        public void onComplete(AsyncEvent event) {}

        @Override
        public void onError(AsyncEvent event) {}

        @Override
        public void onStartAsync(AsyncEvent event) {}
    }

    private static void await(CountDownLatch latch) throws IOException {
        try {
            if (!latch.await(60, TimeUnit.SECONDS)) {
                throw new IOException("nobody opened the gate");
            }
        } catch (InterruptedException e) {
            throw new IOException(e);
        }
    }

    private static long size(InputStream in) throws IOException {
        byte[] chunk = new byte[64 * 1024];
        long size = 0;
        for (int read = in.read(chunk); read >= 0; read = in.read(chunk)) {
            size += read;
        }
        return size;
    }

    private static void download(OutputStream out, long bytes) throws IOException {
        for (long left = bytes; left > 0; left -= CHUNK.length) {
            out.write(CHUNK, 0, (int) Math.min(left, CHUNK.length));
        }
    }
}
