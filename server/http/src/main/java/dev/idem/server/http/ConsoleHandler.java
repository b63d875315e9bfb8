package dev.idem.server.http;

import dev.idem.server.ApiError;
import dev.idem.server.ApiException;
import dev.idem.server.ConsoleSettings;
import dev.idem.server.RequestThreads;
import dev.idem.server.console.Console;
import java.nio.ByteBuffer;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.jspecify.annotations.Nullable;

/** Shows the console: its files, which everybody may have, and what it asks for besides the API. */
final class ConsoleHandler extends Handler.Wrapper {
    private static final int NOT_MODIFIED = 304;

    private final Console console = new Console();
    private final ConsoleSettings settings;
    private final RequestThreads threads;
    private final SignedIn callers;
    private final SignIn signIn;

    ConsoleHandler(Handler next, ConsoleSettings settings, RequestThreads threads, SignedIn callers, SignIn signIn) {
        super(next);
        this.settings = settings;
        this.threads = threads;
        this.callers = callers;
        this.signIn = signIn;
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) throws Exception {
        String path = Request.getPathInContext(request);
        switch (request.getMethod() + " " + path) {
            case "GET /console/settings" ->
                Reply.later(
                        threads,
                        RequestThreads.STRANGERS,
                        () -> Reply.of(Reply.JSON, settings(request) + "\n"),
                        request,
                        response,
                        callback);
            case "POST /console/sign-in" -> signIn.begin(request, response, callback);
            case "POST /console/sign-out" -> signIn.end(request, response, callback);
            default -> {
                Console.File file = file(request.getMethod(), path);
                if (file == null) {
                    return super.handle(request, response, callback);
                }
                send(file, request, response, callback);
            }
        }
        return true;
    }

    private String settings(Request request) {
        try {
            return settings.signedIn(callers.of(request), null);
        } catch (ApiException e) {
            if (e.error() == ApiError.UNAUTHORISED) {
                return settings.signedOut();
            }
            throw e;
        }
    }

    private Console.@Nullable File file(String method, String path) {
        return (method.equals("GET") || method.equals("HEAD")) && path.startsWith("/")
                ? console.file(path.substring(1))
                : null;
    }

    private static void send(Console.File file, Request request, Response response, Callback callback) {
        response.getHeaders().put("Content-Security-Policy", Console.CONTENT_SECURITY_POLICY);
        if (!file.media().startsWith("text/html")) {
            // Kept, and asked for again each time.
            response.getHeaders().put(HttpHeader.CACHE_CONTROL, "no-cache");
            response.getHeaders().put(HttpHeader.ETAG, file.tag());
            if (file.tag().equals(request.getHeaders().get(HttpHeader.IF_NONE_MATCH))) {
                response.setStatus(NOT_MODIFIED);
                callback.succeeded();
                return;
            }
        }
        response.setStatus(200);
        response.getHeaders().put(HttpHeader.CONTENT_TYPE, file.media());
        response.getHeaders().put(HttpHeader.CONTENT_LENGTH, file.bytes().length);
        boolean head = request.getMethod().equals("HEAD");
        response.write(true, head ? ByteBuffer.allocate(0) : ByteBuffer.wrap(file.bytes()), callback);
    }
}
