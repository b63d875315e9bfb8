package dev.idem.server.http;

import dev.idem.server.ApiError;
import dev.idem.server.ApiException;
import dev.idem.server.Caller;
import dev.idem.server.Token;
import dev.idem.server.TokenFile;
import dev.idem.spi.Clocks;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The sessions of people who have signed in to the console. A session is a signed cookie, so that all servers with the same
 * file of tokens know it; what it may do is asked of the token each time. Browsers send a cookie to every port of its host. So
 * a second value, which a page has to keep for its own origin, goes with each request.
 */
final class Sessions {
    private static final Duration LONGEST = Duration.ofHours(12);
    /** By how much the clocks of servers may differ. */
    private static final Duration AHEAD = Duration.ofMinutes(5);

    private static final int PARTS = 4;

    private final TokenFile tokens;
    private final Clocks clocks;
    private final String name;
    private final byte[] key;
    /** The sessions that ended before their time at this server, and when they end anyway. */
    private final Map<String, Instant> ended = new ConcurrentHashMap<>();

    /** Sessions whose cookie has this name. */
    Sessions(TokenFile tokens, Clocks clocks, String name) throws IOException {
        this.tokens = tokens;
        this.clocks = clocks;
        this.name = name;
        this.key = tokens.key();
    }

    /**
     * A session that begins.
     *
     * @param cookie the value of its cookie
     * @param second what the page sends beside it
     */
    record Begun(String cookie, String second) {}

    /** What a cookie says, if its signature is right and its time is not over. */
    private record Session(String id, String token, Instant until, String second) {}

    /** The longest time that a cookie is good for. */
    static Duration longest() {
        return LONGEST;
    }

    Begun begin(Token token) {
        String second = Secrets.random();
        String text = token.digest() + "." + now().getEpochSecond() + "." + Secrets.digest(second);
        return new Begun(text + "." + signature(text), second);
    }

    /** Whose session it is, as the person's token allows now; throws {@link ApiException} if it is none. */
    Caller caller(List<String> cookies, String second) {
        Session session = find(cookies, second);
        Token token = session == null ? null : TokenCallers.look(() -> tokens.withDigest(session.token));
        if (session == null || token == null) {
            throw new ApiException(
                    ApiError.UNAUTHORISED,
                    "you are not signed in, or not any more: the session is over, or its token is. Nothing was done");
        }
        return new Caller(
                token.name(), false, token.access(), () -> stands(session) && tokens.stands(token), () -> true, false);
    }

    /** Ends a session at this server, with its open streams. */
    void end(List<String> cookies, String second) {
        Session session = find(cookies, second);
        if (session != null) {
            ended.values().removeIf(each -> !now().isBefore(each));
            ended.put(session.id, session.until);
        }
    }

    /** The session of these cookies. A page of a neighbouring host may have added some. */
    private @Nullable Session find(List<String> cookies, String second) {
        String digest = Secrets.digest(second);
        return cookies.stream()
                .map(this::read)
                .filter(each -> each != null && Secrets.same(each.second, digest))
                .findFirst()
                .orElse(null);
    }

    private @Nullable Session read(String cookie) {
        String[] parts = cookie.split("\\.", -1);
        int end = cookie.lastIndexOf('.');
        if (parts.length != PARTS || !Secrets.same(parts[PARTS - 1], signature(cookie.substring(0, end)))) {
            return null;
        }
        Instant began = Instant.ofEpochSecond(Long.parseLong(parts[1]));
        Session session = new Session(cookie, parts[0], began.plus(LONGEST), parts[2]);
        return stands(session) && began.isBefore(now().plus(AHEAD)) ? session : null;
    }

    private boolean stands(Session session) {
        return now().isBefore(session.until) && !ended.containsKey(session.id);
    }

    /** The name is signed too: another server with the same tokens may stand on the same host. */
    private String signature(String text) {
        return Secrets.signature(key, name + "\n" + text);
    }

    private Instant now() {
        return clocks.now().wall();
    }
}
