package dev.idem.mcpsdk;

import jakarta.servlet.Servlet;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.apache.catalina.Context;
import org.apache.catalina.LifecycleException;
import org.apache.catalina.startup.Tomcat;

/** One Tomcat for many servers: each has a folder of its own. */
final class TestTomcat implements AutoCloseable {
    private static final Logger QUIET = Logger.getLogger("org.apache");

    private final Map<String, Servlet> servers = new ConcurrentHashMap<>();
    private final AtomicInteger count = new AtomicInteger();
    private final Tomcat tomcat = new Tomcat();

    private TestTomcat() {}

    static TestTomcat start(Path folder) throws LifecycleException {
        QUIET.setLevel(Level.OFF);
        TestTomcat started = new TestTomcat();
        Tomcat tomcat = started.tomcat;
        tomcat.setBaseDir(folder.toString());
        tomcat.setPort(0);
        tomcat.getConnector().setProperty("address", "127.0.0.1");
        Context context = tomcat.addContext("", folder.toString());
        Tomcat.addServlet(context, "servers", started.new Dispatcher()).setAsyncSupported(true);
        context.addServletMappingDecoded("/*", "servers");
        tomcat.start();
        return started;
    }

    String address() {
        return "http://127.0.0.1:" + tomcat.getConnector().getLocalPort();
    }

    /** Adds a server and gives its path. */
    String add(Servlet server) {
        String path = "/" + count.incrementAndGet() + "/mcp";
        servers.put(path, server);
        return path;
    }

    @Override
    public void close() throws LifecycleException {
        tomcat.stop();
        tomcat.destroy();
        // Set by Tomcat. The next one would make this folder again.
        System.clearProperty("catalina.home");
    }

    private final class Dispatcher extends HttpServlet {
        private static final long serialVersionUID = 1;

        @Override
        public void service(ServletRequest request, ServletResponse response) throws IOException, ServletException {
            servers.get(((HttpServletRequest) request).getRequestURI()).service(request, response);
        }
    }
}
