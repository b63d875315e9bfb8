package dev.idem.http.planted;

import com.sun.net.httpserver.HttpHandler;

/** Breaks a rule, so that the rule is seen to go red. */
public final class RulesThatKnowAServer {
    public final Class<?> type = HttpHandler.class;
}
