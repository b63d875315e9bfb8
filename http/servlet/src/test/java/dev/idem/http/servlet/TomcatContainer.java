package dev.idem.http.servlet;

import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.MultipartConfigElement;
import jakarta.servlet.Servlet;
import jakarta.servlet.ServletContainerInitializer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Set;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.apache.catalina.Context;
import org.apache.catalina.LifecycleException;
import org.apache.catalina.Wrapper;
import org.apache.catalina.startup.Tomcat;
import org.apache.tomcat.util.descriptor.web.ErrorPage;

record TomcatContainer(Tomcat tomcat, Path folder) implements Container {
    private static final Logger QUIET = Logger.getLogger("org.apache");

    static Container start(Filter filter, Servlet servlet) throws Exception {
        QUIET.setLevel(Level.OFF);
        Path folder = Files.createTempDirectory("idem-tomcat");
        Tomcat tomcat = new Tomcat();
        tomcat.setBaseDir(folder.toString());
        tomcat.setPort(0);
        tomcat.getConnector().setProperty("address", "127.0.0.1");
        tomcat.getConnector().setProperty("maxThreads", "250");
        tomcat.getConnector().setAsyncTimeout(2_000);
        tomcat.getConnector().setMaxPostSize(-1);
        Context context = tomcat.addContext("", folder.toString());
        Wrapper wrapper = Tomcat.addServlet(context, "handler", servlet);
        wrapper.setAsyncSupported(true);
        if (servlet instanceof Handlers) {
            wrapper.setMultipartConfigElement(new MultipartConfigElement(folder.toString(), LARGEST_PART, -1, 0));
        }
        context.addServletMappingDecoded("/*", "handler");
        for (int status : STATUSES_WITH_PAGES) {
            ErrorPage page = new ErrorPage();
            page.setErrorCode(status);
            page.setLocation("/error");
            context.addErrorPage(page);
        }
        context.addServletContainerInitializer(initializer(filter), Set.of());
        tomcat.start();
        return new TomcatContainer(tomcat, folder);
    }

    private static ServletContainerInitializer initializer(Filter filter) {
        return (types, context) -> {
            var caller = context.addFilter("caller", new CallerFilter());
            caller.setAsyncSupported(true);
            caller.addMappingForUrlPatterns(EnumSet.allOf(DispatcherType.class), true, "/*");
            if (filter instanceof IdemFilter idem) {
                idem.register(context);
            } else {
                var other = context.addFilter("other", filter);
                other.setAsyncSupported(true);
                other.addMappingForUrlPatterns(EnumSet.of(DispatcherType.REQUEST), true, "/*");
            }
        };
    }

    @Override
    public int port() {
        return tomcat.getConnector().getLocalPort();
    }

    @Override
    public void close() {
        try {
            tomcat.stop();
            tomcat.destroy();
            // Set by Tomcat. The next one would make this folder again.
            System.clearProperty("catalina.home");
            Folders.delete(folder);
        } catch (LifecycleException e) {
            throw new IllegalStateException(e);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
