/** Carries the methods of idem serve over HTTP. */
module dev.idem.server.http {
    requires transitive dev.idem.server;
    requires dev.idem.server.console;
    requires jdk.net;
    requires org.eclipse.jetty.http;
    requires org.eclipse.jetty.io;
    requires org.eclipse.jetty.server;
    requires org.eclipse.jetty.unixdomain.server;
    requires org.eclipse.jetty.util;
    requires static org.jspecify;

    exports dev.idem.server.http;
}
