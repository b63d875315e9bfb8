/** Endpoints for webhooks: signatures, event ids, and handlers that run once. */
module dev.idem.http.webhook {
    requires transitive dev.idem.agent;
    requires transitive dev.idem.core;
    requires static transitive jakarta.servlet;
    requires static transitive jdk.httpserver;
    requires static org.jspecify;

    exports dev.idem.http.webhook;
}
