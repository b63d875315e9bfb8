package dev.idem.server.http;

import dev.idem.server.ApiException;
import dev.idem.server.Problem;
import dev.idem.server.RequestThreads;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.io.content.ByteBufferContentSource;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.jspecify.annotations.Nullable;

/** A whole response. */
record Reply(int status, String media, String body) {
    static final String JSON = "application/json";
    static final String TEXT = "text/plain;charset=utf-8";

    /** So many bytes of a body are read though they are not used. */
    private static final int SHORT = 64 * 1024;

    /** So many bytes are written at once: the JDK keeps a buffer outside of the heap, as large as a write, for each thread. */
    private static final int SLICE = 64 * 1024;

    private static final int UNAUTHORISED = 401;

    static Reply of(String media, String body) {
        return new Reply(200, media, body);
    }

    /** An error of the API. */
    static Reply problem(ApiException why) {
        return problem(Problem.of(why));
    }

    static Reply problem(int status, String code, String detail) {
        return problem(new Problem(status, code, detail));
    }

    static Reply problem(Problem problem) {
        return new Reply(problem.status(), Problem.MEDIA, problem.json());
    }

    /** Sends what a thread of its own finds out for this client, since that may wait for the ledger. */
    static void later(
            RequestThreads threads,
            @Nullable String client,
            Supplier<Reply> work,
            Request request,
            Response response,
            Callback callback) {
        try {
            threads.execute(client, () -> made(work).send(request, response, callback));
        } catch (ApiException e) {
            problem(e).send(request, response, callback);
        }
    }

    private static Reply made(Supplier<Reply> work) {
        try {
            return work.get();
        } catch (ApiException e) {
            return problem(e);
        } catch (RuntimeException | Error e) {
            return problem(Problem.of(e));
        }
    }

    /**
     * Sends it once a short body of the request is read: who still sends a body may never see an answer that comes before its
     * end. A long one is left alone, and then nothing can follow on this connection.
     */
    void send(Request request, Response response, Callback callback) {
        if (request.getLength() > 0 && request.getLength() <= SHORT) {
            Content.Source.consumeAll(
                    request, Callback.from(() -> write(response, callback), failure -> writeLast(response, callback)));
        } else if (request.consumeAvailable()) {
            write(response, callback);
        } else {
            writeLast(response, callback);
        }
    }

    private void writeLast(Response response, Callback callback) {
        response.getHeaders().put(HttpHeader.CONNECTION, "close");
        write(response, callback);
    }

    private void write(Response response, Callback callback) {
        response.setStatus(status);
        response.getHeaders().put(HttpHeader.CONTENT_TYPE, media);
        if (status == UNAUTHORISED) {
            response.getHeaders().put(HttpHeader.WWW_AUTHENTICATE, "Bearer");
        }
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        response.getHeaders().put(HttpHeader.CONTENT_LENGTH, bytes.length);
        if (bytes.length <= SLICE) {
            response.write(true, ByteBuffer.wrap(bytes), callback);
        } else {
            Content.copy(new ByteBufferContentSource(slices(bytes)), response, callback);
        }
    }

    private static List<ByteBuffer> slices(byte[] bytes) {
        List<ByteBuffer> slices = new ArrayList<>();
        for (int from = 0; from < bytes.length; from += SLICE) {
            slices.add(ByteBuffer.wrap(bytes, from, Math.min(SLICE, bytes.length - from)));
        }
        return slices;
    }
}
