package dev.idem.spring;

import jakarta.servlet.http.HttpServletMapping;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.MappingMatch;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.regex.Pattern;
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
    /** What a variable looks like: the regular expression in {@code {id:[0-9]{2}}}. */
    private static final Pattern FORM = Pattern.compile("(?<=\\{[^{}:/]{1,100}):(?:[^{}]|\\{[^{}]*\\})*\\}");

    private final ObjectProvider<HandlerMapping> beans;
    private volatile @Nullable List<HandlerMapping> mappings;

    /** The mappings are created after the filters of the server, so they are looked up at the first request. */
    RouteFinder(ObjectProvider<HandlerMapping> beans) {
        this.beans = beans;
    }

    @Override
    public String apply(HttpServletRequest request) {
        String template = find(request, handler -> template(request));
        if (template != null) {
            return template;
        }
        // One name for all paths without a handler: any client can make up paths, and each would be an operation.
        String servlet = request.getHttpServletMapping().getPattern();
        return contextPath(request) + (servlet.isEmpty() || servlet.equals("/") ? ANY : servlet);
    }

    /** The pattern in the notation of all languages, with what stands before the patterns of Spring in the path. */
    private static @Nullable String template(HttpServletRequest request) {
        Object pattern = request.getAttribute(HandlerMapping.BEST_MATCHING_PATTERN_ATTRIBUTE);
        if (pattern == null || pattern.equals(ANY)) {
            return null;
        }
        HttpServletMapping servlet = request.getHttpServletMapping();
        String before =
                contextPath(request) + (servlet.getMappingMatch() == MappingMatch.PATH ? request.getServletPath() : "");
        String whole = before + FORM.matcher(pattern.toString()).replaceAll("}");
        if (whole.isEmpty()) {
            return "/";
        }
        return whole.length() > 1 && whole.endsWith("/") ? whole.substring(0, whole.length() - 1) : whole;
    }

    /** As the container has it; the one of the request may be a prefix that a proxy tells by a header. */
    private static String contextPath(HttpServletRequest request) {
        return request.getServletContext().getContextPath();
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
