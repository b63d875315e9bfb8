/** Carries the methods of idem serve over HTTP. */
@SuppressWarnings("requires-automatic") // Micrometer names its modules only in their manifests
module dev.idem.server.http {
    requires transitive dev.idem.server;
    requires dev.idem.server.console;
    requires java.management;
    requires jdk.net;
    requires micrometer.core;
    requires micrometer.registry.prometheus;
    requires org.eclipse.jetty.http;
    requires org.eclipse.jetty.io;
    requires org.eclipse.jetty.server;
    requires org.eclipse.jetty.unixdomain.server;
    requires org.eclipse.jetty.util;
    requires static org.jspecify;

    exports dev.idem.server.http;
}
