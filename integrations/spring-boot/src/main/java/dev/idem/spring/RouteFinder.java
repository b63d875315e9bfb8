package dev.idem.spring;

import jakarta.servlet.http.HttpServletRequest;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.web.servlet.HandlerExecutionChain;
import org.springframework.web.servlet.HandlerMapping;
import org.springframework.web.util.ServletRequestPathUtils;

/**
 * Finds the pattern of a request's route, such as {@code /orders/{id}}, before Spring looks for the handler. It asks the
 * application's own handler mappings, in their order.
 */
final class RouteFinder implements Function<HttpServletRequest, String> {
    /** The pattern of static resources, which take every path. It stands for requests without a handler too. */
    private static final String ANY = "/**";

    private final ObjectProvider<HandlerMapping> beans;
    private volatile @Nullable List<HandlerMapping> mappings;

    /** The mappings are created after the filters of the server, so they are looked up at the first request. */
    RouteFinder(ObjectProvider<HandlerMapping> beans) {
        this.beans = beans;
    }

    @Override
    public String apply(HttpServletRequest request) {
        Object pattern = find(request, handler -> request.getAttribute(HandlerMapping.BEST_MATCHING_PATTERN_ATTRIBUTE));
        if (pattern != null && !pattern.equals(ANY)) {
            return pattern.toString();
        }
        // One name for all paths without a handler: any client can make up paths, and each would be an operation.
        String servlet = request.getHttpServletMapping().getPattern();
        return servlet.isEmpty() || servlet.equals("/") ? ANY : servlet;
    }

    /** The handler of a request; null where there is none. */
    @Nullable
    Object handler(HttpServletRequest request) {
        return find(request, HandlerExecutionChain::getHandler);
    }

    private <T> @Nullable T find(HttpServletRequest request, Function<HandlerExecutionChain, @Nullable T> found) {
        Map<String, Object> before = attributes(request);
        try {
            ServletRequestPathUtils.parseAndCache(request);
            for (HandlerMapping mapping : mappings()) {
                HandlerExecutionChain chain = mapping.getHandler(request);
                if (chain != null) {
                    return found.apply(chain);
                }
            }
            return null;
        } catch (Exception e) {
            // No handler takes this method or this media type. Spring will find out again, and answer.
            return null;
        } finally {
            restore(request, before);
        }
    }

    private List<HandlerMapping> mappings() {
        List<HandlerMapping> known = mappings;
        if (known == null) {
            known = beans.orderedStream().toList();
            mappings = known;
        }
        return known;
    }

    private static Map<String, Object> attributes(HttpServletRequest request) {
        Map<String, Object> all = new HashMap<>();
        for (String name : Collections.list(request.getAttributeNames())) {
            all.put(name, request.getAttribute(name));
        }
        return all;
    }

    /** The mappings leave their findings in attributes, which would mislead those that look again. */
    private static void restore(HttpServletRequest request, Map<String, Object> before) {
        for (String name : Collections.list(request.getAttributeNames())) {
            if (!before.containsKey(name)) {
                request.removeAttribute(name);
            }
        }
        before.forEach((name, value) -> {
            if (!Objects.equals(request.getAttribute(name), value)) {
                request.setAttribute(name, value);
            }
        });
    }
}
