package dev.idem.server;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What the console asks for first: who is signed in, and what the server shows.
 *
 * @param signIn how people sign in: {@code token} at the page, {@code none} before they reach it
 * @param operations what the operator says about operations
 */
public record ConsoleSettings(Api api, String signIn, Operations operations) {
    /**
     * A token against requests of other pages, which each request that changes something has to bring.
     *
     * @param header where it goes
     */
    public record Csrf(String header, String token) {}

    /** For those who are not signed in. They learn nothing about the ledger. */
    public String signedOut() {
        return of(false).json();
    }

    /** For those who are. */
    public String signedIn(Caller caller, @Nullable Csrf csrf) {
        Map<String, @Nullable Object> token = new LinkedHashMap<>();
        if (csrf != null) {
            token.put("header", csrf.header());
            token.put("token", csrf.token());
        }
        return of(true).with("who", caller.user())
                .with("rights", caller.access().rightWords())
                .with("scopes", caller.access().scopeTexts())
                .with("ledger", api.ledger())
                .with("operations", operations.members())
                .with("csrf", csrf == null ? null : token)
                .json();
    }

    private Answer of(boolean signedIn) {
        return new Answer().with("signed_in", signedIn).with("sign_in", signIn).with("server", api.version());
    }
}
