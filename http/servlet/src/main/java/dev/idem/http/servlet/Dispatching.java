package dev.idem.http.servlet;

import dev.idem.NotExecutedException;
import dev.idem.http.HttpRules;
import dev.idem.http.Reply;
import dev.idem.http.Response;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** One guarded request through its dispatches: the first one, those after asynchronous work, and the one to an error page. */
final class Dispatching implements AsyncListener {
    private static final int REFUSALS = 400;

    private final GuardedRequest request;
    private final HttpServletResponse raw;
    private final HttpRules rules;
    /** The time within which an error page begins; null where the application has none. */
    private final @Nullable Duration errorPages;
    /** Ends when the handler has ended for good. */
    private final CompletableFuture<Response> handled = new CompletableFuture<>();
    /** Ends when the outcome is recorded. */
    private final CompletableFuture<Reply> replied = new CompletableFuture<>();

    /** The headers that filters before this one have set. */
    private final Map<String, List<String>> before;

    private final AtomicBoolean sent = new AtomicBoolean();
    private volatile BufferedResponse buffered;
    private volatile @Nullable GuardedAsync asynchronous;
    private volatile @Nullable Throwable thrown;
    private volatile boolean began;
    private volatile boolean awaitsErrorPage;
    /** The response of an error that has no page, when the page should have begun. */
    private final CompletableFuture<Response> pageless = new CompletableFuture<>();

    Dispatching(GuardedRequest request, HttpServletResponse raw, HttpRules rules, @Nullable Duration errorPages) {
        this.request = request;
        this.raw = raw;
        this.rules = rules;
        this.errorPages = errorPages;
        this.before = BufferedResponse.headers(raw);
        this.buffered = new BufferedResponse(raw, rules.largestStoredBody());
    }

    /** Runs the handler. The stage ends when the handler has ended for good, maybe in another dispatch. */
    CompletionStage<Response> first(FilterChain chain) throws Exception {
        request.handledBy(this);
        began = true;
        try {
            chain.doFilter(request, buffered);
            dispatched(request);
        } catch (ServletException | IOException | RuntimeException | Error e) {
            thrown = e;
            return CompletableFuture.failedFuture(judged(e));
        }
        return handled;
    }

    /** Goes on after asynchronous work, with the request that the container gives for it. */
    void again(FilterChain chain, HttpServletRequest dispatched) throws IOException, ServletException {
        try {
            HttpServletRequest seen = request.seenThrough(dispatched);
            chain.doFilter(seen, buffered);
            dispatched(seen);
        } catch (ServletException | IOException | RuntimeException | Error e) {
            thrown = e;
            handled.completeExceptionally(judged(e));
            if (!replied.isDone()) {
                throw e;
            }
        }
    }

    /** Captures the page of an error that the handler has sent. */
    void errorPage(FilterChain chain, HttpServletRequest error) throws IOException, ServletException {
        pageless.cancel(false);
        buffered = new BufferedResponse(raw, rules.largestStoredBody());
        try {
            chain.doFilter(error, buffered);
        } catch (ServletException | IOException | RuntimeException | Error e) {
            // The client gets a page of the container, which can't be recorded.
            handled.completeExceptionally(e);
            request.close();
            throw e;
        }
        handled.complete(captured());
    }

    boolean awaitsErrorPage() {
        return awaitsErrorPage && !handled.isDone();
    }

    boolean isPending() {
        return !handled.isDone();
    }

    /** The handler has returned from one dispatch: is it the last one? */
    private void dispatched(HttpServletRequest seen) throws IOException {
        if (seen.isAsyncStarted()) {
            return;
        }
        if (buffered.isErrorSent() && errorPages != null) {
            awaitErrorPage(errorPages);
        } else {
            ended();
        }
    }

    /** No container tells that it has no page for an error, so a page that does not begin in time is not there. */
    private void awaitErrorPage(Duration within) throws IOException {
        awaitsErrorPage = true;
        String said = Objects.requireNonNullElse(buffered.errorMessage(), "");
        Response message = said.isEmpty() ? captured() : captured().body("text/plain;charset=utf-8", said);
        raw.sendError(buffered.getStatus(), buffered.errorMessage());
        // Not in the thread of the timer: the outcome is recorded in the thread that ends the handler.
        var unused = pageless.completeOnTimeout(message, within.toMillis(), TimeUnit.MILLISECONDS)
                .thenAcceptAsync(this::endWithoutPage);
    }

    private void endWithoutPage(Response message) {
        handled.complete(message);
        try {
            request.close();
        } catch (IOException e) {
            request.getServletContext().log("the file with the body of a request could not be deleted", e);
        }
    }

    private void ended() {
        if (buffered.isErrorSent()) {
            buffered.writeErrorMessage();
        }
        handled.complete(captured());
    }

    private Response captured() {
        Response response = buffered.captured();
        String rolledBack = IdemFilter.rolledBack(request);
        if (IdemFilter.isNotExecuted(request)) {
            return response.notExecuted();
        }
        return rolledBack != null && response.status() < REFUSALS ? response.inDoubt(rolledBack) : response;
    }

    /**
     * The exception of the handler. Frameworks wrap it in a {@link ServletException}. Exceptions of other types are left
     * alone: a handler that wraps a {@link NotExecutedException} of one step may have done another step.
     */
    private static Throwable ofHandler(Throwable thrown) {
        Throwable found = thrown;
        while (found instanceof ServletException && found.getCause() != null) {
            found = found.getCause();
        }
        return found;
    }

    /** The exception for the guard. */
    private Throwable judged(Throwable thrown) {
        return isDeclaredUnexecuted(thrown)
                ? new NotExecutedException("the request was declared as not executed", thrown)
                : ofHandler(thrown);
    }

    /** Whether the key is free, and the exception is for those who called the filter. */
    private boolean isDeclaredUnexecuted(Throwable thrown) {
        return IdemFilter.isNotExecuted(request) && !(ofHandler(thrown) instanceof NotExecutedException);
    }

    /** The guard has recorded the outcome, or could not. */
    void replied(@Nullable Reply reply, @Nullable Throwable failure) {
        if (reply == null) {
            replied.completeExceptionally(failure);
        } else {
            replied.complete(reply);
        }
    }

    /** Frees the body and sends the reply, if there is one. To be called at the end of each dispatch. */
    void sendIfReplied() throws IOException, ServletException {
        if (replied.isDone() && sent.compareAndSet(false, true)) {
            request.close();
            if (replied.isCompletedExceptionally()) {
                rethrow();
            } else if (thrown != null && (raw.isCommitted() || isDeclaredUnexecuted(thrown))) {
                // A problem can't be sent after a part of the response, or is not wanted.
                rethrow(Objects.requireNonNull(thrown));
            } else if (replied.join() instanceof Reply.Send send) {
                send(send);
            }
        }
    }

    private void rethrow() throws IOException, ServletException {
        Throwable own = thrown;
        try {
            replied.join();
        } catch (java.util.concurrent.CompletionException e) {
            rethrow(own != null ? own : e.getCause() == null ? e : e.getCause());
        }
    }

    private static void rethrow(Throwable failure) throws IOException, ServletException {
        if (failure instanceof IOException io) {
            throw io;
        } else if (failure instanceof ServletException servlet) {
            throw servlet;
        } else if (failure instanceof RuntimeException runtime) {
            throw runtime;
        }
        throw new ServletException(failure);
    }

    private void send(Reply.Send reply) throws IOException {
        Response response = reply.response();
        if (began && reply.origin() == Reply.Origin.PROBLEM) {
            raw.reset();
            before.forEach((name, lines) -> lines.forEach(line -> raw.addHeader(name, line)));
        }
        boolean own = reply.origin() == Reply.Origin.HANDLER;
        raw.setStatus(response.status());
        for (Map.Entry<String, List<String>> header : response.headers().entrySet()) {
            if (own && raw.containsHeader(header.getKey())) {
                continue;
            }
            raw.setHeader(header.getKey(), header.getValue().get(0));
            header.getValue().stream().skip(1).forEach(more -> raw.addHeader(header.getKey(), more));
        }
        if (raw.containsHeader("Access-Control-Allow-Origin")) {
            raw.addHeader(
                    "Access-Control-Expose-Headers",
                    String.join(", ", rules.replayedHeader(), rules.keyHeader(), rules.expiresHeader()));
        }
        if (response.body().length > 0) {
            raw.setContentLength(response.body().length);
            raw.getOutputStream().write(response.body());
        }
    }

    // Asynchronous work.

    BufferedResponse response() {
        return buffered;
    }

    @Nullable
    AsyncContext asynchronous() {
        return asynchronous;
    }

    AsyncContext asynchronous(AsyncContext started) {
        started.addListener(this);
        GuardedAsync guarded = new GuardedAsync(started, this);
        asynchronous = guarded;
        return guarded;
    }

    /** The handler ends its asynchronous work: the response is recorded and sent, then the container is told. */
    void complete(AsyncContext real) {
        ended();
        var unused = replied.whenComplete((reply, failure) -> {
            try {
                sendIfReplied();
            } catch (IOException | ServletException | RuntimeException e) {
                // The client is gone, or the handler has failed; either is recorded.
                request.getServletContext().log("the response could not be sent", e);
            } finally {
                real.complete();
            }
        });
    }

    /** The container has ended the asynchronous work. Tomcat tells so before it shows an error page. */
    @Override
    public void onComplete(AsyncEvent event) throws IOException {
        if (!awaitsErrorPage) {
            handled.completeExceptionally(
                    new IOException("the asynchronous request ended without a response of its handler"));
            request.close();
        }
    }

    @Override
    public void onTimeout(AsyncEvent event) {}

    @Override
    public void onError(AsyncEvent event) {}

    /** Listeners are lost when asynchronous work starts again. */
    @Override
    public void onStartAsync(AsyncEvent event) {
        event.getAsyncContext().addListener(this);
    }
}
