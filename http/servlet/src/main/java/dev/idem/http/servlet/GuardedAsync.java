package dev.idem.http.servlet;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import java.io.IOException;

/** Asynchronous work of a guarded request: its end is recorded before the container learns of it. */
record GuardedAsync(AsyncContext real, Dispatching dispatching) implements AsyncContext {
    @Override
    public void complete() {
        dispatching.complete(real);
    }

    @Override
    public ServletRequest getRequest() {
        return real.getRequest();
    }

    @Override
    public ServletResponse getResponse() {
        return real.getResponse();
    }

    @Override
    public boolean hasOriginalRequestAndResponse() {
        return real.hasOriginalRequestAndResponse();
    }

    @Override
    public void dispatch() {
        real.dispatch();
    }

    @Override
    public void dispatch(String path) {
        real.dispatch(path);
    }

    @Override
    public void dispatch(ServletContext context, String path) {
        real.dispatch(context, path);
    }

    @Override
    public void start(Runnable run) {
        real.start(run);
    }

    @Override
    public void addListener(AsyncListener listener) {
        real.addListener(new Listening(listener, dispatching));
    }

    @Override
    public void addListener(AsyncListener listener, ServletRequest request, ServletResponse response) {
        real.addListener(new Listening(listener, dispatching), request, response);
    }

    @Override
    public <T extends AsyncListener> T createListener(Class<T> type) throws ServletException {
        return real.createListener(type);
    }

    @Override
    public void setTimeout(long millis) {
        real.setTimeout(millis);
    }

    @Override
    public long getTimeout() {
        return real.getTimeout();
    }

    /** A listener of the handler. The context that its events bring is guarded too: it may end the work with it. */
    private record Listening(AsyncListener listener, Dispatching dispatching) implements AsyncListener {
        private AsyncEvent guarded(AsyncEvent event) {
            return new AsyncEvent(
                    new GuardedAsync(event.getAsyncContext(), dispatching),
                    event.getSuppliedRequest(),
                    event.getSuppliedResponse(),
                    event.getThrowable());
        }

        @Override
        public void onComplete(AsyncEvent event) throws IOException {
            listener.onComplete(guarded(event));
        }

        @Override
        public void onTimeout(AsyncEvent event) throws IOException {
            listener.onTimeout(guarded(event));
        }

        @Override
        public void onError(AsyncEvent event) throws IOException {
            listener.onError(guarded(event));
        }

        @Override
        public void onStartAsync(AsyncEvent event) throws IOException {
            listener.onStartAsync(guarded(event));
        }
    }
}
