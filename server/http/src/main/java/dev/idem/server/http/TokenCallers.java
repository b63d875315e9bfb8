package dev.idem.server.http;

import dev.idem.server.ApiError;
import dev.idem.server.ApiException;
import dev.idem.server.Caller;
import dev.idem.server.Token;
import dev.idem.server.TokenFile;
import java.io.IOException;
import java.util.List;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Request;
import org.jspecify.annotations.Nullable;

/** Tells callers by the token that they bear. */
record TokenCallers(TokenFile tokens) implements Callers {
    private static final System.Logger LOG = System.getLogger(TokenCallers.class.getName());
    private static final String BEARER = "Bearer ";

    @Override
    public Caller of(Request request) {
        List<String> given = request.getHeaders().getValuesList(HttpHeader.AUTHORIZATION);
        if (given.size() != 1 || !given.get(0).regionMatches(true, 0, BEARER, 0, BEARER.length())) {
            throw new ApiException(
                    ApiError.UNAUTHORISED, "send one header Authorization: Bearer and a token. Nothing was done");
        }
        Token token =
                look(() -> tokens.find(given.get(0).substring(BEARER.length()).strip()));
        if (token == null) {
            throw new ApiException(
                    ApiError.UNAUTHORISED,
                    "this token is not known here: it was revoked, has expired, or is of another server. Nothing was done");
        }
        return Caller.of(token, tokens);
    }

    /** A look into the file of tokens. */
    interface Look {
        @Nullable
        Token find() throws IOException;
    }

    /** Looks for a token; throws {@link ApiException} if the file can't be read. */
    static @Nullable Token look(Look look) {
        try {
            return look.find();
        } catch (IOException e) {
            LOG.log(System.Logger.Level.ERROR, "the tokens can't be read, so nobody is let in: " + e.getMessage());
            throw new ApiException(
                    ApiError.BUSY,
                    "the server can't read its tokens; its log says why. Send this again later. Nothing was done",
                    e);
        }
    }
}
