package dev.idem.http.servlet;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;

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
        real.addListener(listener);
    }

    @Override
    public void addListener(AsyncListener listener, ServletRequest request, ServletResponse response) {
        real.addListener(listener, request, response);
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
}
