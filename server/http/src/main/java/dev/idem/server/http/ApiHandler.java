package dev.idem.server.http;

import dev.idem.server.Api;
import dev.idem.server.ApiError;
import dev.idem.server.ApiException;
import dev.idem.server.Budget;
import dev.idem.server.Caller;
import dev.idem.server.Problem;
import dev.idem.server.RequestThreads;
import java.util.concurrent.TimeoutException;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.Promise;
import org.jspecify.annotations.Nullable;

/**
 * {@code POST /v1/<method>} with a JSON object. Answers are 200; errors are {@code application/problem+json} with the
 * code of the API. A body that comes slowly holds no thread.
 */
final class ApiHandler extends Handler.Abstract {
    static final String PATH = "/v1/";

    /** Bodies that come slowly fill the memory, so only so many may be large. */
    private static final long LARGE = 64 * 1024;

    /** Each takes three times its size while it is read, and there is more to do with the memory. */
    private static final int COPIES = 6;

    private static final int MOST_LARGE = 8;

    private static final int NOT_FOUND = 404;
    private static final int NOT_ALLOWED = 405;
    private static final int TIMEOUT = 408;
    private static final int UNAVAILABLE = 503;
    private static final byte[] NO_PARAMS = {'{', '}'};

    private final Api api;
    private final RequestThreads threads;
    private final Callers callers;
    private final Meters meters;
    private final Admission admission;
    private final Budget large;

    /** Answers with this API; {@code callers} tells who sends a request. */
    ApiHandler(Api api, RequestThreads threads, Callers callers, Admission admission, Meters meters) {
        this.api = api;
        this.threads = threads;
        this.callers = callers;
        this.admission = admission;
        this.meters = meters;
        long bytes = Math.max(Api.LARGEST_REQUEST, Budget.ofHeap(COPIES, (long) MOST_LARGE * Api.LARGEST_REQUEST));
        large = new Budget("bytes of large bodies", bytes, bytes / 2);
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) {
        String path = Request.getPathInContext(request);
        String client;
        try {
            client = callers.of(request).client();
            Reply refusal = refusal(path, request);
            if (refusal != null) {
                refusal.send(request, response, callback);
                return true;
            }
            if (isLarge(request)) {
                // It fills the memory until it is answered.
                Budget.Place place = large.require(client, size(request));
                Request.addCompletionListener(request, failure -> place.close());
            }
        } catch (ApiException e) {
            Reply.problem(e).send(request, response, callback);
            return true;
        }
        Body.read(request, Api.LARGEST_REQUEST, new Promise<>() {
            @Override
            public void succeeded(byte[] body) {
                String method = path.substring(PATH.length());
                byte[] params = body.length == 0 ? NO_PARAMS : body;
                // Asked again: a token may have been revoked while the body came.
                Reply.later(
                        threads,
                        client,
                        () -> Reply.of(
                                Reply.JSON,
                                meters.measured(method, () -> {
                                            Caller caller = callers.of(request);
                                            return admission.call(
                                                    method, caller, request, () -> api.call(method, params, caller));
                                        })
                                        + "\n"),
                        request,
                        response,
                        callback);
            }

            @Override
            public void failed(Throwable failure) {
                unread(failure, Api.LARGEST_REQUEST, request, response, callback);
            }
        });
        return true;
    }

    /** Why the body of a request is not read; null if it is. */
    private static @Nullable Reply refusal(String path, Request request) {
        if (!path.startsWith(PATH)) {
            return Reply.problem(
                    NOT_FOUND, "not_found", "there is only POST /v1/<method>; see docs/protocol.md. Nothing was done");
        } else if (!request.getMethod().equals("POST")) {
            return Reply.problem(NOT_ALLOWED, "malformed", "send a POST with a JSON object. Nothing was done");
        }
        return unlessJson(request);
    }

    /** Why a request is refused that does not say it is JSON; null if it does. */
    static @Nullable Reply unlessJson(Request request) {
        Problem wrong = Problem.unlessJson(request.getHeaders().get(HttpHeader.CONTENT_TYPE));
        return wrong == null ? null : Reply.problem(wrong);
    }

    /** Whether the body of a request has more than a few bytes, or does not say how many. */
    private static boolean isLarge(Request request) {
        return request.getLength() < 0 || request.getLength() > LARGE;
    }

    /** How many bytes it may have. */
    private static long size(Request request) {
        long told = request.getLength();
        return told < 0 ? Api.LARGEST_REQUEST : Math.min(told, Api.LARGEST_REQUEST);
    }

    /** Answers a request whose body has not come, or has more bytes than it may. */
    static void unread(Throwable failure, int largest, Request request, Response response, Callback callback) {
        if (failure instanceof TimeoutException
                && request.getConnectionMetaData().getConnector().isShutdown()) {
            Reply.problem(
                            UNAVAILABLE,
                            ApiError.BUSY.word(),
                            "the server is ending; ask another one, or start it again. Nothing was done")
                    .send(request, response, callback);
        } else if (failure instanceof TimeoutException) {
            Reply.problem(TIMEOUT, "malformed", "the body came too slowly. Nothing was done")
                    .send(request, response, callback);
        } else if (failure instanceof IllegalStateException) {
            Reply.problem(new ApiException(
                            ApiError.TOO_LARGE, "a request has at most " + largest + " bytes. Nothing was done"))
                    .send(request, response, callback);
        } else {
            callback.failed(failure);
        }
    }
}
