package dev.idem.spring;

import dev.idem.agent.tool.Once;
import dev.idem.agent.tool.Tool;
import dev.idem.http.HttpRules;
import jakarta.servlet.http.HttpServletRequest;
import java.lang.reflect.Method;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.servlet.mvc.method.RequestMappingInfo;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping;

/**
 * The rules of a request: of its handler, if that has {@link Once}. Such a handler requires a key, and the annotation says
 * how its responses are kept.
 */
final class OnceHandlers implements Function<HttpServletRequest, HttpRules>, SmartInitializingSingleton {
    private final HttpRules usual;
    private final RouteFinder routes;
    private final ObjectProvider<RequestMappingHandlerMapping> mappings;
    private final UnguardedHandlers unguarded;
    private final ObjectProvider<WebhookEndpoints> webhooks;
    private final boolean console;
    private final Map<Method, HttpRules> known = new ConcurrentHashMap<>();
    private volatile @Nullable Boolean any;

    OnceHandlers(
            HttpRules usual,
            RouteFinder routes,
            ObjectProvider<RequestMappingHandlerMapping> mappings,
            UnguardedHandlers unguarded,
            ObjectProvider<WebhookEndpoints> webhooks,
            boolean console) {
        this.usual = usual;
        this.routes = routes;
        this.mappings = mappings;
        this.unguarded = unguarded;
        this.webhooks = webhooks;
        this.console = console;
    }

    @Override
    public HttpRules apply(HttpServletRequest request) {
        if (!usual.methods().contains(request.getMethod()) || !any()) {
            return usual;
        }
        Object found = routes.handler(request);
        if (found instanceof WithoutKey) {
            // GitLab sends a key with its events, which would be taken for that of a caller.
            return usual.methods(new String[0]);
        } else if (found instanceof HandlerMethod handler) {
            Once once = handler.getMethodAnnotation(Once.class);
            return once == null ? usual : known.computeIfAbsent(handler.getMethod(), method -> rules(handler, once));
        }
        return usual;
    }

    /** Most applications have none, and need no look at the mappings for each request. */
    private boolean any() {
        Boolean found = any;
        if (found == null) {
            found = console
                    || webhooks.stream().anyMatch(WebhookEndpoints::any)
                    || mappings.stream()
                            .flatMap(mapping -> mapping.getHandlerMethods().values().stream())
                            .anyMatch(handler -> handler.hasMethodAnnotation(Once.class));
            any = found;
        }
        return found;
    }

    private HttpRules rules(HandlerMethod handler, Once once) {
        try {
            Tool declared = Tool.named(handler.getMethod().getName()).once(once).build();
            return usual.keyRequired(true).policy(declared.policy().over(usual.policy()));
        } catch (IllegalArgumentException e) {
            throw refused(handler, String.valueOf(e.getMessage()), "Correct the annotation");
        }
    }

    /** Refuses handlers for which the annotation would not hold. */
    @Override
    public void afterSingletonsInstantiated() {
        unguarded.logIdlePatterns();
        mappings.forEach(mapping -> mapping.getHandlerMethods().forEach((info, handler) -> {
            Once once = handler.getMethodAnnotation(Once.class);
            if (once != null) {
                check(info, handler, once);
            }
        }));
    }

    private void check(RequestMappingInfo info, HandlerMethod handler, Once once) {
        if (!once.key().isEmpty()) {
            throw refused(
                    handler,
                    "the key of a request is in its header " + usual.keyHeader(),
                    "Remove 'key'; or move the annotation to a method of a service");
        } else if (once.identity().length + once.content().length + once.ignore().length + once.labels().length > 0) {
            throw refused(handler, "requests are compared as a whole", "Remove identity, content, ignore and labels");
        }
        OnceChecks.requireEnd(handler.getBeanType(), handler.getMethod());
        Set<String> others = info.getMethodsCondition().getMethods().stream()
                .map(Enum::name)
                .filter(method -> !usual.methods().contains(method))
                .collect(Collectors.toSet());
        if (!others.isEmpty()) {
            throw refused(handler, others + " is not guarded", "Remove the annotation: such requests change nothing");
        } else if (!unguarded.in(info, handler).isEmpty()) {
            throw refused(handler, "the filter never sees its requests", "Add its path to idem.http.paths");
        }
        HttpRules unused = rules(handler, once);
    }

    private static IllegalStateException refused(HandlerMethod handler, String why, String instead) {
        return OnceChecks.refused(handler.getBeanType(), handler.getMethod(), why, instead);
    }
}
