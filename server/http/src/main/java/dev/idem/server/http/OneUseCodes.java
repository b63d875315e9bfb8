package dev.idem.server.http;

import dev.idem.server.Token;
import dev.idem.spi.Clocks;
import dev.idem.spi.Moment;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Codes that sign somebody in once, within a minute. They stand where a token must not: in what a browser is started with. */
final class OneUseCodes {
    private static final Duration LASTS = Duration.ofSeconds(60);

    private final Clocks clocks;
    private final Map<String, Issued> issued = new ConcurrentHashMap<>();

    OneUseCodes(Clocks clocks) {
        this.clocks = clocks;
    }

    /**
     * A code that may still be used.
     *
     * @param token the digest of the token that it stands for
     */
    private record Issued(String token, Moment until) {}

    /** A new code that stands for a token. */
    String issue(Token token) {
        Moment now = clocks.now();
        issued.values().removeIf(each -> !now.isBefore(each.until));
        String code = Secrets.random();
        issued.put(Secrets.digest(code), new Issued(token.digest(), now.plus(LASTS)));
        return code;
    }

    /** Uses a code up. Gives the digest of the token that it stands for; null if it is not known, used, or too old. */
    @Nullable
    String use(String code) {
        Issued found = issued.remove(Secrets.digest(code));
        return found == null || !clocks.now().isBefore(found.until) ? null : found.token;
    }
}
