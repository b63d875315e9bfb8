package dev.idem.http.servlet;

import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.MultipartConfigElement;
import jakarta.servlet.Servlet;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import org.eclipse.jetty.ee10.servlet.ErrorPageErrorHandler;
import org.eclipse.jetty.ee10.servlet.FilterHolder;
import org.eclipse.jetty.ee10.servlet.ServletContextHandler;
import org.eclipse.jetty.ee10.servlet.ServletHolder;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;

record JettyContainer(Server server, ServerConnector connector, Path folder) implements Container {
    static Container start(Filter filter, Servlet servlet) throws Exception {
        Path folder = Files.createTempDirectory("idem-jetty");
        Server server = new Server();
        ServerConnector connector = new ServerConnector(server);
        connector.setHost("127.0.0.1");
        server.addConnector(connector);
        ServletContextHandler context = new ServletContextHandler("/");
        context.setTempDirectory(folder.toFile());
        FilterHolder caller = new FilterHolder(new CallerFilter());
        caller.setAsyncSupported(true);
        context.addFilter(caller, "/*", EnumSet.allOf(DispatcherType.class));
        FilterHolder guard = new FilterHolder(filter);
        guard.setAsyncSupported(true);
        context.addFilter(guard, "/*", EnumSet.of(DispatcherType.REQUEST, DispatcherType.ASYNC, DispatcherType.ERROR));
        ServletHolder holder = new ServletHolder(servlet);
        holder.setAsyncSupported(true);
        if (servlet instanceof Handlers) {
            holder.getRegistration()
                    .setMultipartConfig(new MultipartConfigElement(folder.toString(), LARGEST_PART, -1, 0));
        }
        context.addServlet(holder, "/*");
        ErrorPageErrorHandler errors = new ErrorPageErrorHandler();
        STATUSES_WITH_PAGES.forEach(status -> errors.addErrorPage(status, "/error"));
        context.setErrorHandler(errors);
        server.setHandler(context);
        server.start();
        return new JettyContainer(server, connector, folder);
    }

    @Override
    public int port() {
        return connector.getLocalPort();
    }

    @Override
    public void close() {
        try {
            server.stop();
            Folders.delete(folder);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }
}
