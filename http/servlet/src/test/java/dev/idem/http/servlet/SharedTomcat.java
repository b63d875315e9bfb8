package dev.idem.http.servlet;

import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.Servlet;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServlet;
import java.io.IOException;
import java.net.http.HttpClient;

/** One Tomcat for many short tests: each start puts another filter and servlet into it. */
final class SharedTomcat implements Container.Starter, AutoCloseable {
    private volatile Filter filter;
    private volatile Servlet servlet;
    private final HttpClient client = HttpClient.newHttpClient();
    private final Container tomcat = TomcatContainer.start(new CurrentFilter(), new CurrentServlet());

    SharedTomcat() throws Exception {}

    @Override
    public Container start(Filter next, Servlet behind) {
        filter = next;
        servlet = behind;
        return new Container() {
            @Override
            public int port() {
                return tomcat.port();
            }

            @Override
            public HttpClient client() {
                return client;
            }

            @Override
            public void close() {}
        };
    }

    @Override
    public void close() {
        tomcat.close();
    }

    private final class CurrentFilter implements Filter {
        @Override
        public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
                throws IOException, ServletException {
            filter.doFilter(request, response, chain);
        }
    }

    private final class CurrentServlet extends HttpServlet {
        private static final long serialVersionUID = 1;

        @Override
        public void service(ServletRequest request, ServletResponse response) throws IOException, ServletException {
            servlet.service(request, response);
        }
    }
}
