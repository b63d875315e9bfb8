package dev.idem.http.servlet;

import jakarta.servlet.Filter;
import jakarta.servlet.Servlet;
import java.net.http.HttpClient;
import java.util.List;

/** A real servlet container on a free port of this machine. */
interface Container extends AutoCloseable {
    /** The longest file of an upload that {@link Handlers} take; other servlets take no parts. */
    long LARGEST_PART = 5_000_000;

    /** The statuses that have an error page. */
    List<Integer> STATUSES_WITH_PAGES = List.of(402, 403, 500);

    int port();

    /** A client for it. */
    default HttpClient client() {
        return HttpClient.newHttpClient();
    }

    @Override
    void close();

    /** Starts a container. */
    @FunctionalInterface
    interface Starter {
        /**
         * Starts with the filter in front of one servlet for all paths, and behind a filter that takes the caller's name
         * from the header {@code X-Caller}.
         */
        Container start(Filter filter, Servlet servlet) throws Exception;
    }
}
