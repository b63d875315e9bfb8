package dev.idem.spring;

import dev.idem.Idem;
import dev.idem.http.webhook.Sender;
import dev.idem.http.webhook.Verifier;
import dev.idem.http.webhook.WebhookEndpoint;
import dev.idem.http.webhook.WebhookEndpointBuilder;
import dev.idem.http.webhook.WebhookServlet;
import dev.idem.spring.IdemProperties.Webhook;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.context.SmartLifecycle;
import org.springframework.http.converter.HttpMessageConverter;
import org.springframework.web.HttpRequestHandler;
import org.springframework.web.servlet.handler.SimpleUrlHandlerMapping;

/**
 * The endpoints of the methods with {@link WebhookHandler}, at the paths of {@code idem.webhooks}. Its threads start
 * before the web server and stop after it, and before any bean is closed.
 */
final class WebhookEndpoints extends SimpleUrlHandlerMapping implements SmartInitializingSingleton, SmartLifecycle {
    /** Spring Boot starts its web server at {@code MAX_VALUE - 2048}, and stops in the other order. */
    private static final int BEFORE_THE_SERVER = Integer.MAX_VALUE - 4096;

    private final Idem idem;
    private final Map<String, Webhook> settings;
    private final ConfigurableListableBeanFactory beans;
    private final Supplier<List<HttpMessageConverter<?>>> converters;
    private final Map<String, WebhookMethod> methods = new TreeMap<>();
    private volatile Map<String, WebhookEndpoint> endpoints = Map.of();

    WebhookEndpoints(
            Idem idem,
            Map<String, Webhook> settings,
            ConfigurableListableBeanFactory beans,
            Supplier<List<HttpMessageConverter<?>>> converters) {
        this.idem = idem;
        this.settings = settings;
        this.beans = beans;
        this.converters = converters;
        setOrder(-1);
    }

    /** A request handler of this class, which no other filter of Idem guards. */
    interface Receiver extends HttpRequestHandler, WithoutKey {}

    @Override
    public void afterSingletonsInstantiated() {
        methods.putAll(WebhookMethods.of(beans));
        Map<String, Receiver> paths = new LinkedHashMap<>();
        methods.forEach((name, method) -> {
            Webhook webhook = settings(name, method);
            String path = webhook.path() == null ? "/webhooks/" + name : webhook.path();
            if (paths.put(path, (request, response) -> receive(name, request, response)) != null) {
                throw new IllegalStateException(
                        "two webhooks have the path " + path + ". Set another idem.webhooks." + name + ".path");
            }
        });
        settings.keySet().forEach(name -> {
            if (!methods.containsKey(name)) {
                throw new IllegalStateException("idem.webhooks." + name + " has no handler. Add @WebhookHandler(\""
                        + name + "\") to a method of a bean, or remove the properties");
            }
        });
        setUrlMap(paths);
        registerHandlers(new LinkedHashMap<>(paths));
    }

    private Webhook settings(String name, WebhookMethod method) {
        Webhook webhook = settings.get(name);
        if (webhook == null) {
            throw new IllegalStateException(method.where() + " has no secret. Set idem.webhooks." + name
                    + ".secrets; for a sender without signatures set idem.webhooks." + name + ".sender");
        }
        return webhook;
    }

    boolean any() {
        return !methods.isEmpty();
    }

    private void receive(String name, HttpServletRequest request, HttpServletResponse response)
            throws ServletException, IOException {
        WebhookEndpoint endpoint = endpoints.get(name);
        if (endpoint == null) {
            response.setHeader("Retry-After", "5");
            response.setStatus(503);
            return;
        }
        new WebhookServlet(endpoint).service(request, response);
    }

    /** Spring calls it again after a pause of the context. */
    @Override
    public synchronized void start() {
        Map<String, WebhookEndpoint> started = new TreeMap<>();
        try {
            methods.forEach((name, method) -> started.put(name, endpoint(name, method)));
        } catch (RuntimeException e) {
            started.values().forEach(WebhookEndpoint::close);
            throw e;
        }
        endpoints = started;
    }

    private WebhookEndpoint endpoint(String name, WebhookMethod method) {
        Webhook webhook = settings(name, method);
        String property = "idem.webhooks." + name;
        Verifier verifier;
        Sender sender;
        try {
            sender = Sender.named(webhook.sender() == null ? name : webhook.sender());
        } catch (IllegalArgumentException e) {
            throw new IllegalStateException("Set " + property + ".sender: " + e.getMessage(), e);
        }
        try {
            verifier = Verifier.of(sender, webhook.secrets().toArray(String[]::new))
                    .tolerance(webhook.tolerance(), webhook.tolerance());
        } catch (IllegalArgumentException e) {
            throw new IllegalStateException("Correct " + property + ".secrets or .tolerance: " + e.getMessage(), e);
        }
        if (sender.signsUrl() && webhook.publicUrl() == null) {
            throw new IllegalStateException("Set " + property + ".public-url to the URL that " + sender.name()
                    + " was given: it signs the URL");
        }
        WebhookEndpointBuilder builder = WebhookEndpoint.of(idem, verifier).source(name);
        builder = webhook.publicUrl() == null ? builder : builder.publicUrl(webhook.publicUrl());
        builder = webhook.poisonAfter() == null ? builder : builder.poisonAfter(webhook.poisonAfter());
        builder = webhook.mode() == IdemProperties.Mode.RECORD_FIRST ? builder.recordFirst() : builder;
        try {
            return method.on(builder, converters);
        } catch (IllegalArgumentException | IllegalStateException e) {
            throw new IllegalStateException("Correct " + property + ".mode or .poison-after: " + e.getMessage(), e);
        }
    }

    /** Waits for handlers that run in threads of the endpoints. */
    @Override
    public synchronized void stop() {
        Map<String, WebhookEndpoint> stopping = endpoints;
        endpoints = Map.of();
        stopping.values().forEach(WebhookEndpoint::close);
    }

    @Override
    public boolean isRunning() {
        return !endpoints.isEmpty();
    }

    @Override
    public int getPhase() {
        return BEFORE_THE_SERVER;
    }

    /** The endpoint of a name. */
    @Nullable
    WebhookEndpoint find(String name) {
        return endpoints.get(name);
    }
}
