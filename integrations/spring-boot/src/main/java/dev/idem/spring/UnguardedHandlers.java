package dev.idem.spring;

import dev.idem.http.servlet.IdemFilter;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.core.env.Environment;
import org.springframework.util.AntPathMatcher;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.servlet.mvc.method.RequestMappingInfo;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping;

/** Compares the handler methods of Spring MVC with the URL patterns and the methods of the filter. */
final class UnguardedHandlers implements Supplier<List<UnguardedHandler>> {
    private static final List<String> WRITING = List.of("POST", "PUT", "PATCH", "DELETE");

    private final ObjectProvider<RequestMappingHandlerMapping> mappings;
    private final ObjectProvider<FilterRegistrationBean<?>> filters;
    private final String servletPath;

    /** Patterns of handlers are relative to the path of the dispatcher servlet, those of filters are not. */
    UnguardedHandlers(
            ObjectProvider<RequestMappingHandlerMapping> mappings,
            ObjectProvider<FilterRegistrationBean<?>> filters,
            Environment environment) {
        this.mappings = mappings;
        this.filters = filters;
        String servletPath = environment.getProperty("spring.mvc.servlet.path", "");
        this.servletPath = servletPath.endsWith("/") ? servletPath.substring(0, servletPath.length() - 1) : servletPath;
    }

    @Override
    public List<UnguardedHandler> get() {
        List<UnguardedHandler> found = new ArrayList<>();
        mappings.forEach(
                mapping -> mapping.getHandlerMethods().forEach((info, handler) -> found.addAll(in(info, handler))));
        found.sort(Comparator.comparing(UnguardedHandler::pattern).thenComparing(UnguardedHandler::handler));
        return found;
    }

    /** The patterns and methods of one handler that are not guarded. */
    List<UnguardedHandler> in(RequestMappingInfo info, HandlerMethod handler) {
        if (handler.getBeanType().getName().startsWith("org.springframework.boot.")) {
            // The error page, and endpoints of the actuator.
            return List.of();
        }
        List<UnguardedHandler> found = new ArrayList<>();
        Set<String> named =
                info.getMethodsCondition().getMethods().stream().map(Enum::name).collect(Collectors.toSet());
        for (String pattern : info.getPatternValues()) {
            List<String> unguarded = WRITING.stream()
                    .filter(method -> named.isEmpty() || named.contains(method))
                    .filter(method -> !isGuarded(method, servletPath + pattern))
                    .toList();
            if (!unguarded.isEmpty()) {
                String name = handler.getBeanType().getSimpleName() + "."
                        + handler.getMethod().getName();
                found.add(new UnguardedHandler(unguarded, pattern, name));
            }
        }
        return found;
    }

    private boolean isGuarded(String method, String pattern) {
        return filters.stream()
                .filter(FilterRegistrationBean::isEnabled)
                .anyMatch(registration -> registration.getFilter() instanceof IdemFilter filter
                        && filter.rules().methods().contains(method)
                        && covers(registration.getUrlPatterns(), pattern));
    }

    /** Logs the URL patterns of the filter that fit no handler: they may be misspelt, and then guard nothing. */
    void logIdlePatterns() {
        List<String> handled = mappings.stream()
                .flatMap(mapping -> mapping.getHandlerMethods().keySet().stream())
                .flatMap(info -> info.getPatternValues().stream())
                .map(pattern -> servletPath + pattern)
                .toList();
        filters.stream()
                .filter(registration -> registration.getFilter() instanceof IdemFilter)
                .flatMap(registration -> idle(registration.getUrlPatterns(), handled).stream())
                .forEach(url -> System.getLogger("dev.idem.spring")
                        .log(
                                System.Logger.Level.WARNING,
                                "idem.http.paths has ''{0}'', and no handler method of Spring MVC has such a path; if it"
                                        + " is misspelt, nothing is guarded there",
                                url));
    }

    /** The URL patterns that fit none of the handlers' patterns. */
    static List<String> idle(Collection<String> urlPatterns, Collection<String> handled) {
        AntPathMatcher paths = new AntPathMatcher();
        return urlPatterns.stream()
                .filter(url -> handled.stream().noneMatch(pattern -> covers(url, pattern) || paths.match(pattern, url)))
                .toList();
    }

    /** Whether every path of a handler's pattern fits one of the filter's URL patterns; none stands for all paths. */
    static boolean covers(Collection<String> urlPatterns, String pattern) {
        return urlPatterns.isEmpty() || urlPatterns.stream().anyMatch(url -> covers(url, pattern));
    }

    private static boolean covers(String url, String pattern) {
        if (url.endsWith("/*")) {
            String prefix = url.substring(0, url.length() - 1);
            return pattern.startsWith(prefix) || pattern.equals(prefix.substring(0, prefix.length() - 1));
        }
        return url.startsWith("*.") ? pattern.endsWith(url.substring(1)) : url.equals(pattern);
    }
}
