/** The methods of idem serve, for programs in every language, without a server. */
module dev.idem.server {
    requires transitive dev.idem.core;
    requires dev.idem.agent;
    requires dev.idem.http.webhook;
    requires java.net.http;
    requires static org.jspecify;

    exports dev.idem.server;
    exports dev.idem.server.notice;
}
