package dev.idem.http;

import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A request as an adapter shows it to the guard. */
public interface Request {
    /** The method, for instance {@code POST}. */
    String method();

    /**
     * The path without the query: {@code /orders/7/refunds}. Where the server takes several spellings for one path, this
     * is one of them for all.
     */
    String path();

    /** The query as it was sent, without the question mark; empty where there is none. */
    String query();

    /**
     * The pattern of the route: {@code /orders/{id}/refunds}. It is part of the entry's address, so that a key of one
     * route means nothing on another. Where the server knows no patterns, give the path.
     *
     * @throws AmbiguousPathException when there is no pattern, and the path can be read in different ways
     */
    String route();

    /** The authenticated caller; null where there is none. Keys of one caller mean nothing to another. */
    @Nullable
    String principal();

    /** The lines of a header, in order; the name in any case. Empty where the header is absent. */
    List<String> headers(String name);

    /**
     * Opens the body from its beginning. The guard opens it before the handler does, so each call has to give the whole
     * body again.
     *
     * @throws BodyTooLargeException when the adapter has found that the body is longer than it keeps
     * @throws BodyDamagedException when the adapter has found that the body is not what its content type says
     */
    InputStream open() throws IOException;
}
