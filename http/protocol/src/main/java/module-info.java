/** The rules of idempotency keys over HTTP, without a server. */
module dev.idem.http {
    requires transitive dev.idem.core;
    requires static org.jspecify;

    exports dev.idem.http;
}
