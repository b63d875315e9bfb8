package dev.idem.server.http;

import dev.idem.Json;
import dev.idem.JsonException;
import dev.idem.server.ApiError;
import dev.idem.server.ApiException;
import dev.idem.server.RequestThreads;
import dev.idem.server.Token;
import dev.idem.server.TokenFile;
import dev.idem.spi.Clocks;
import dev.idem.spi.Moment;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.Promise;
import org.jspecify.annotations.Nullable;

/** Begins a session for a token or a code that comes in a form, and ends one. */
final class SignIn {
    private static final int LARGEST = 4096;
    private static final int MOST_ATTEMPTS = 10;
    private static final Duration WITHIN = Duration.ofSeconds(1);

    private final TokenFile tokens;
    private final OneUseCodes codes;
    private final Sessions sessions;
    private final SignedIn callers;
    private final RequestThreads threads;
    private final Clocks clocks;
    private final String attributes;
    private Moment since;
    private int attempts;

    /**
     * Signs in to these sessions.
     *
     * @param attributes those of the cookie that depend on where the server is
     */
    SignIn(
            TokenFile tokens,
            OneUseCodes codes,
            SignedIn callers,
            RequestThreads threads,
            Clocks clocks,
            String attributes) {
        this.tokens = tokens;
        this.codes = codes;
        this.sessions = callers.sessions();
        this.callers = callers;
        this.threads = threads;
        this.clocks = clocks;
        this.attributes = attributes;
        this.since = clocks.now();
    }

    void begin(Request request, Response response, Callback callback) {
        Reply refusal = ApiHandler.unlessJson(request);
        if (refusal != null) {
            refusal.send(request, response, callback);
            return;
        }
        Body.read(request, LARGEST, new Promise<>() {
            @Override
            public void succeeded(byte[] body) {
                Reply.later(
                        threads,
                        () -> begun(new String(body, StandardCharsets.UTF_8), response),
                        request,
                        response,
                        callback);
            }

            @Override
            public void failed(Throwable failure) {
                ApiHandler.unread(failure, LARGEST, request, response, callback);
            }
        });
    }

    private Reply begun(String body, Response response) {
        if (!mayTry()) {
            throw new ApiException(ApiError.BUSY, "too many try to sign in. Send this again in a second");
        }
        Token token = token(body);
        if (token == null) {
            throw new ApiException(
                    ApiError.UNAUTHORISED,
                    "this token or code is not known here: it was revoked or used, has expired, or is of another server");
        }
        Sessions.Begun session = sessions.begin(token);
        keep(response, session.cookie(), Sessions.longest());
        return Reply.of(Reply.JSON, Json.writePlain(Map.of("second", session.second())) + "\n");
    }

    /** A token can't be guessed. This keeps the load small that guesses would be. */
    private synchronized boolean mayTry() {
        Moment now = clocks.now();
        if (since.until(now).compareTo(WITHIN) >= 0) {
            since = now;
            attempts = 0;
        }
        attempts++;
        return attempts <= MOST_ATTEMPTS;
    }

    private @Nullable Token token(String body) {
        try {
            if (Json.parse(body) instanceof Map<?, ?> members && members.size() == 1) {
                if (members.get("token") instanceof String secret) {
                    return TokenCallers.look(() -> tokens.find(secret.strip()));
                } else if (members.get("code") instanceof String code) {
                    String digest = codes.use(code);
                    return digest == null ? null : TokenCallers.look(() -> tokens.withDigest(digest));
                }
            }
        } catch (JsonException e) {
            // As below. The message of the exception may show the token.
        }
        throw new ApiException(ApiError.MALFORMED, "send {\"token\": …} or {\"code\": …}");
    }

    /** Ends the session of a request here, and takes the cookie back. */
    void end(Request request, Response response, Callback callback) {
        Reply refusal = ApiHandler.unlessJson(request);
        if (refusal == null) {
            callers.end(request);
            keep(response, "", Duration.ZERO);
            refusal = Reply.of(Reply.JSON, "{}\n");
        }
        refusal.send(request, response, callback);
    }

    private void keep(Response response, String value, Duration age) {
        response.getHeaders()
                .add(
                        HttpHeader.SET_COOKIE,
                        callers.cookie() + "=" + value + "; Max-Age=" + age.toSeconds() + "; HttpOnly; SameSite=Strict"
                                + attributes);
    }
}
