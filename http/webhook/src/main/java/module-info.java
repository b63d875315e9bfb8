/** Endpoints for webhooks: signatures, event ids, and handlers that run once. */
module dev.idem.http.webhook {
    requires transitive dev.idem.agent;
    requires transitive dev.idem.core;
    requires static org.jspecify;

    exports dev.idem.http.webhook;
}
