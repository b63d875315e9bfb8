package dev.idem.server.http;

import dev.idem.Json;
import dev.idem.server.Api;
import dev.idem.server.ApiError;
import dev.idem.server.ApiException;
import dev.idem.server.Caller;
import dev.idem.server.RequestThreads;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.io.Content;
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
    private static final String PATH = "/v1/";
    private static final String JSON = "application/json";
    /** Bodies that come slowly fill the memory, so only some may be large. */
    private static final long LARGE = 64 * 1024;

    private static final int MOST_LARGE = 8;
    private static final int NOT_FOUND = 404;
    private static final int NOT_ALLOWED = 405;
    private static final int TIMEOUT = 408;
    private static final int WRONG_MEDIA = 415;

    private final Api api;
    private final RequestThreads threads;
    private final Function<Request, Caller> callers;
    private final Semaphore large = new Semaphore(MOST_LARGE);

    /** Answers with this API; {@code callers} tells who sends a request. */
    ApiHandler(Api api, RequestThreads threads, Function<Request, Caller> callers) {
        this.api = api;
        this.threads = threads;
        this.callers = callers;
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) {
        String path = Request.getPathInContext(request);
        String media = String.valueOf(request.getHeaders().get(HttpHeader.CONTENT_TYPE));
        if (!path.startsWith(PATH)) {
            problem(
                    response,
                    callback,
                    NOT_FOUND,
                    "not_found",
                    "there is only POST /v1/<method>; see docs/protocol.md");
        } else if (!request.getMethod().equals("POST")) {
            response.getHeaders().put(HttpHeader.ALLOW, "POST");
            problem(response, callback, NOT_ALLOWED, "malformed", "send a POST with a JSON object. Nothing was done");
        } else if (!media.split(";", 2)[0].strip().equalsIgnoreCase(JSON)) {
            problem(
                    response,
                    callback,
                    WRONG_MEDIA,
                    "malformed",
                    "send the header Content-Type: application/json (curl --json does). Nothing was done");
        } else if (isLarge(request) && !large.tryAcquire()) {
            problem(
                    response,
                    callback,
                    new ApiException(
                            ApiError.BUSY,
                            MOST_LARGE
                                    + " large requests are on their way. Send this one again later. Nothing was done"));
        } else {
            Content.Source.asByteArrayAsync(request, Api.LARGEST_REQUEST, new Promise.Invocable<byte[]>() {
                @Override
                public void succeeded(byte[] body) {
                    received(request);
                    answer(path.substring(PATH.length()), body, callers.apply(request), response, callback);
                }

                @Override
                public void failed(Throwable failure) {
                    received(request);
                    unread(failure, response, callback);
                }
            });
        }
        return true;
    }

    /** Whether the body of a request has more than a few bytes, or does not say how many. */
    private static boolean isLarge(Request request) {
        return request.getLength() < 0 || request.getLength() > LARGE;
    }

    private void received(Request request) {
        if (isLarge(request)) {
            large.release();
        }
    }

    private void answer(String method, byte[] body, Caller caller, Response response, Callback callback) {
        try {
            threads.execute(() -> {
                try {
                    String params = body.length == 0 ? "{}" : new String(body, StandardCharsets.UTF_8);
                    write(response, callback, 200, JSON, api.call(method, params, caller));
                } catch (ApiException e) {
                    problem(response, callback, e);
                } catch (RuntimeException | Error e) {
                    problem(
                            response,
                            callback,
                            new ApiException(
                                    ApiError.INTERNAL,
                                    "an error of the server: " + e
                                            + ". The step may have been made: send the same request again",
                                    e));
                }
            });
        } catch (ApiException e) {
            problem(response, callback, e);
        }
    }

    private static void unread(Throwable failure, Response response, Callback callback) {
        // The rest of the body is not read, so nothing can follow on this connection.
        response.getHeaders().put(HttpHeader.CONNECTION, "close");
        if (failure instanceof TimeoutException) {
            problem(response, callback, TIMEOUT, "malformed", "the body came too slowly. Nothing was done");
        } else if (failure instanceof IllegalStateException) {
            problem(
                    response,
                    callback,
                    new ApiException(
                            ApiError.TOO_LARGE,
                            "a request has at most " + Api.LARGEST_REQUEST + " bytes. Nothing was done"));
        } else {
            callback.failed(failure);
        }
    }

    private static void problem(Response response, Callback callback, ApiException why) {
        problem(response, callback, status(why.error()), why.error().word(), String.valueOf(why.getMessage()));
    }

    private static int status(ApiError error) {
        return switch (error) {
            case MALFORMED -> 400;
            case UNAUTHORISED -> 401;
            case FORBIDDEN -> 403;
            case MISMATCH -> 409;
            case TOO_LARGE -> 413;
            case BUSY -> 429;
            case LEDGER_UNAVAILABLE -> 503;
            case UNREADABLE, INTERNAL -> 500;
        };
    }

    private static void problem(Response response, Callback callback, int status, String code, String detail) {
        Map<String, @Nullable Object> problem = new LinkedHashMap<>();
        problem.put("type", "about:blank");
        problem.put("status", status);
        problem.put("code", code);
        problem.put("detail", detail);
        write(response, callback, status, "application/problem+json", Json.writePlain(problem));
    }

    private static void write(Response response, Callback callback, int status, String media, String body) {
        response.setStatus(status);
        response.getHeaders().put(HttpHeader.CONTENT_TYPE, media);
        byte[] bytes = (body + "\n").getBytes(StandardCharsets.UTF_8);
        response.getHeaders().put(HttpHeader.CONTENT_LENGTH, bytes.length);
        response.write(true, ByteBuffer.wrap(bytes), callback);
    }
}
