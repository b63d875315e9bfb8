package dev.idem.http.servlet;

import jakarta.servlet.Filter;
import jakarta.servlet.Servlet;
import java.util.stream.Stream;

/** The containers. The build runs the tests once with Tomcat 10.1 and Jetty, and once more with Tomcat 11 alone. */
enum Server implements Container.Starter {
    TOMCAT {
        @Override
        public Container start(Filter filter, Servlet servlet) throws Exception {
            return TomcatContainer.start(filter, servlet);
        }
    },
    JETTY {
        @Override
        public Container start(Filter filter, Servlet servlet) throws Exception {
            return JettyContainer.start(filter, servlet);
        }
    };

    static Stream<Server> onClassPath() {
        return Boolean.getBoolean("idem.tomcat11") ? Stream.of(TOMCAT) : Stream.of(values());
    }
}
