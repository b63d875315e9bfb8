package dev.idem.http.webhook.planted;

import com.sun.net.httpserver.HttpHandler;

/** Breaks a rule, so that the rule is seen to go red. */
public final class VerifierThatKnowsAServer {
    public final Class<?> type = HttpHandler.class;
}
