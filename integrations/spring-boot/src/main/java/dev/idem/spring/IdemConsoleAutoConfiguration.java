package dev.idem.spring;

import dev.idem.Idem;
import dev.idem.server.Api;
import dev.idem.server.ApiError;
import dev.idem.server.ApiException;
import dev.idem.server.Watch;
import dev.idem.server.console.Console;
import dev.idem.spi.Host;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;
import org.springframework.security.web.FilterChainProxy;
import org.springframework.util.ClassUtils;
import org.springframework.web.servlet.DispatcherServlet;
import org.springframework.web.servlet.handler.SimpleUrlHandlerMapping;

/** Shows the console to the users of a servlet application, behind its own Spring Security. */
@AutoConfiguration(after = IdemAutoConfiguration.class)
@ConditionalOnProperty(name = "idem.console.enabled", havingValue = "true")
public class IdemConsoleAutoConfiguration {
    private static final Map<String, String> NEEDED = Map.of(
            "org.springframework.security.web.FilterChainProxy",
            "Spring Security, which tells who may see it. Add spring-boot-starter-security",
            "dev.idem.server.console.Console",
            "the artifact dev.idem:idem-server-console. Add it");

    /** Stops the start where something is missing: nobody would find the page, or everybody would. */
    @Bean
    static BeanFactoryPostProcessor idemConsoleNeeds(Environment environment) {
        return beans -> {
            NEEDED.forEach((type, what) -> {
                if (!ClassUtils.isPresent(type, beans.getBeanClassLoader())) {
                    throw refused("needs " + what);
                }
            });
            if (environment.getProperty("idem.console.role", "").isBlank()) {
                throw refused("needs a role. Set idem.console.role to that of the people who may do everything there");
            }
        };
    }

    private static IllegalStateException refused(String why) {
        return new IllegalStateException(
                "idem.console.enabled is true, and the console " + why + "; or remove the property");
    }

    /** Stops an application in which nobody would find it. */
    @Configuration(proxyBeanMethods = false)
    @Conditional(IdemWebhookAutoConfiguration.WithoutServlets.class)
    static class Others {
        @Bean
        static BeanFactoryPostProcessor idemConsoleNeedsServlets() {
            return beans -> {
                throw refused("needs Spring MVC, and this application has none. Add spring-boot-starter-web");
            };
        }
    }

    /** The page for people. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
    @ConditionalOnClass({DispatcherServlet.class, FilterChainProxy.class, Console.class})
    static class Servlets {
        private static final String CHAIN = "springSecurityFilterChain";
        /** Before handlers of the application that take every path. */
        private static final int EARLY = -10;

        @Bean
        Served idemConsoleApi(Idem idem, Environment environment) {
            return new Served(idem, environment);
        }

        @Bean
        SimpleUrlHandlerMapping idemConsole(Served served, IdemProperties properties) {
            return new SimpleUrlHandlerMapping(
                    Map.of(
                            properties.console().path() + "**",
                            new ConsoleHandler(served.api(), served::watch, properties.console())),
                    EARLY);
        }

        /** A path behind no filter chain would tell the console nothing about its users. */
        @Bean
        SmartInitializingSingleton idemConsoleIsSecured(
                ConfigurableListableBeanFactory beans, IdemProperties properties, Environment environment) {
            return () -> {
                String servlet =
                        environment.getProperty("spring.mvc.servlet.path", "").replaceAll("/+$", "");
                String path = servlet + properties.console().path();
                Object chain = beans.containsBean(CHAIN) ? beans.getBean(CHAIN) : null;
                boolean open = chain == null
                        || (chain instanceof FilterChainProxy known
                                && Objects.requireNonNullElse(known.getFilters(path), List.of())
                                        .isEmpty());
                if (open) {
                    throw refused("is behind no filter chain of Spring Security. Have a SecurityFilterChain match "
                            + path + "**");
                }
            };
        }
    }

    /** The API on the ledger of the application. It starts last and stops first: a server that ends waits for open responses. */
    static final class Served implements SmartLifecycle, AutoCloseable {
        private final Api api;
        private volatile @Nullable Watch watch;

        Served(Idem idem, Environment environment) {
            String name = environment.getProperty("spring.application.name", "");
            String version = Served.class.getPackage().getImplementationVersion();
            this.api = new Api(
                    idem.ledger(),
                    "application:" + name,
                    Host.system(),
                    Objects.requireNonNullElse(version, "unknown"));
        }

        Api api() {
            return api;
        }

        Watch watch() {
            Watch now = watch;
            if (now == null) {
                throw new ApiException(ApiError.BUSY, "the application is ending, or has not begun. Try again later");
            }
            return now;
        }

        @Override
        public void start() {
            watch = new Watch(api);
        }

        @Override
        public void stop() {
            Watch ending = watch;
            watch = null;
            if (ending != null) {
                ending.close();
            }
        }

        @Override
        public boolean isRunning() {
            return watch != null;
        }

        @Override
        public void close() {
            stop();
            api.close();
        }
    }
}
