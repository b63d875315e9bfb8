package dev.idem.spring;

import dev.idem.Idem;
import dev.idem.http.suite.Received;
import dev.idem.http.suite.Sent;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;

/** A Spring Boot application on a free port of this machine, asked by a real client. */
record App(ConfigurableApplicationContext context, HttpClient client) implements AutoCloseable {
    /** Spring Security protects every application that it finds: those of Spring Boot 3, then those of 4. */
    private static final List<String> SECURITY = List.of(
            "org.springframework.boot.autoconfigure.security.servlet.SecurityAutoConfiguration",
            "org.springframework.boot.autoconfigure.security.servlet.UserDetailsServiceAutoConfiguration",
            "org.springframework.boot.autoconfigure.security.reactive.ReactiveSecurityAutoConfiguration",
            "org.springframework.boot.autoconfigure.security.reactive.ReactiveUserDetailsServiceAutoConfiguration",
            "org.springframework.boot.actuate.autoconfigure.security.servlet.ManagementWebSecurityAutoConfiguration",
            "org.springframework.boot.actuate.autoconfigure.security.reactive"
                    + ".ReactiveManagementWebSecurityAutoConfiguration",
            "org.springframework.boot.security.autoconfigure.SecurityAutoConfiguration",
            "org.springframework.boot.security.autoconfigure.UserDetailsServiceAutoConfiguration",
            "org.springframework.boot.security.autoconfigure.ReactiveUserDetailsServiceAutoConfiguration",
            "org.springframework.boot.security.autoconfigure.web.servlet.ServletWebSecurityAutoConfiguration",
            "org.springframework.boot.security.autoconfigure.web.reactive.ReactiveWebSecurityAutoConfiguration",
            "org.springframework.boot.security.autoconfigure.actuate.web.servlet"
                    + ".ManagementWebSecurityAutoConfiguration",
            "org.springframework.boot.security.autoconfigure.actuate.web.reactive"
                    + ".ReactiveManagementWebSecurityAutoConfiguration");

    static App start(Class<?> application, String... properties) {
        return start(new SpringApplication(application, CallerFilter.class), properties);
    }

    static App start(SpringApplication application, String... properties) {
        List<String> arguments = new ArrayList<>(List.of(
                "--server.port=0",
                "--server.address=127.0.0.1",
                "--spring.main.banner-mode=off",
                "--logging.level.root=off",
                "--spring.jmx.enabled=false"));
        if (List.of(properties).stream().noneMatch(property -> property.startsWith("spring.autoconfigure.exclude"))) {
            arguments.add("--spring.autoconfigure.exclude=" + String.join(",", SECURITY));
        }
        List.of(properties).forEach(property -> arguments.add("--" + property));
        application.setRegisterShutdownHook(false);
        return new App(application.run(arguments.toArray(String[]::new)), HttpClient.newHttpClient());
    }

    Idem idem() {
        return context.getBean(Idem.class);
    }

    <T> T bean(Class<T> type) {
        return context.getBean(type);
    }

    Received send(Sent sent) throws Exception {
        String target = sent.path() + (sent.query().isEmpty() ? "" : "?" + sent.query());
        String port = context.getEnvironment().getRequiredProperty("local.server.port");
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + target))
                .method(sent.method(), BodyPublishers.ofByteArray(sent.body()))
                .header("X-Caller", sent.caller());
        for (Map.Entry<String, String> header : sent.headers()) {
            request.header(header.getKey(), header.getValue());
        }
        HttpResponse<byte[]> response = client.send(request.build(), BodyHandlers.ofByteArray());
        return new Received(response.statusCode(), response.headers().map(), response.body());
    }

    @Override
    public void close() {
        context.close();
    }
}
