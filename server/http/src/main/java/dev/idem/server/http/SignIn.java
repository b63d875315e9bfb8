package dev.idem.server.http;

import dev.idem.Json;
import dev.idem.JsonException;
import dev.idem.server.ApiError;
import dev.idem.server.ApiException;
import dev.idem.server.RequestThreads;
import dev.idem.server.Token;
import dev.idem.server.TokenFile;
import dev.idem.spi.Clocks;
import java.time.Duration;
import java.util.List;
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
    private static final int LONGEST_ADDRESS = 64;

    private final TokenFile tokens;
    private final OneUseCodes codes;
    private final Sessions sessions;
    private final SignedIn callers;
    private final RequestThreads threads;
    private final String attributes;
    private final @Nullable String addressHeader;
    private final Failures failures;

    /**
     * Signs in to these sessions.
     *
     * @param attributes those of the cookie that depend on where the server is
     * @param addressHeader in which the proxy says where a request comes from; null for none
     */
    SignIn(
            TokenFile tokens,
            OneUseCodes codes,
            SignedIn callers,
            RequestThreads threads,
            Clocks clocks,
            String attributes,
            @Nullable String addressHeader) {
        this.tokens = tokens;
        this.codes = codes;
        this.sessions = callers.sessions();
        this.callers = callers;
        this.threads = threads;
        this.attributes = attributes;
        this.addressHeader = addressHeader;
        this.failures = new Failures(clocks);
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
                        RequestThreads.STRANGERS,
                        () -> begun(body, request, response),
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

    private Reply begun(byte[] body, Request request, Response response) {
        Token token = token(body);
        if (token == null) {
            throw failures.isTooMany(address(request))
                    ? new ApiException(
                            ApiError.BUSY, "too many wrong tokens come from your address. Send this again in a second")
                    : new ApiException(
                            ApiError.UNAUTHORISED,
                            "this token or code is not known here: it was revoked or used, has expired, or is of another"
                                    + " server");
        }
        Sessions.Begun session = sessions.begin(token);
        keep(response, session.cookie(), Sessions.longest());
        return Reply.of(Reply.JSON, Json.writePlain(Map.of("second", session.second())) + "\n");
    }

    /** The last value is the proxy's own: whoever asks may send others. */
    private String address(Request request) {
        List<String> told =
                addressHeader == null ? List.of() : request.getHeaders().getCSV(addressHeader, false);
        String address = told.isEmpty() ? Request.getRemoteAddr(request) : told.get(told.size() - 1);
        return address.substring(0, Math.min(address.length(), LONGEST_ADDRESS));
    }

    private @Nullable Token token(byte[] body) {
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
