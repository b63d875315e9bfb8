/** Signatures and event ids of webhooks, without a server. */
module dev.idem.http.webhook {
    requires transitive dev.idem.core;
    requires static org.jspecify;

    exports dev.idem.http.webhook;
}
