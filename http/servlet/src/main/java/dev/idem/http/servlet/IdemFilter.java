package dev.idem.http.servlet;

import dev.idem.http.HttpGuard;
import dev.idem.http.HttpRules;
import dev.idem.http.Reply;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.FilterRegistration;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Duration;
import java.util.EnumSet;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A Jakarta filter that runs each request with an {@code Idempotency-Key} once, and answers duplicates with the stored
 * response.
 *
 * <pre>{@code
 * HttpGuard guard = new HttpGuard(idem, HttpRules.ietf());
 * new IdemFilter(guard).register(servletContext);
 * }</pre>
 *
 * <p>It has to run after authentication, since keys belong to the caller, and for the dispatcher types REQUEST, ASYNC
 * and ERROR; {@link #register} sees to the latter. Thread-safe.
 */
public final class IdemFilter implements Filter {
    private static final String ATTRIBUTE = Dispatching.class.getName();

    private static final String UNGUARDED = ATTRIBUTE + ".unguarded";
    private static final String NOT_EXECUTED = ATTRIBUTE + ".notExecuted";
    private static final String ROLLED_BACK = ATTRIBUTE + ".rolledBack";

    private final HttpGuard guard;
    private final Function<HttpServletRequest, String> route;
    private final Function<HttpServletRequest, HttpRules> rules;
    private final @Nullable Duration errorPages;

    /**
     * A filter whose routes are the paths of requests, in the one spelling that the container has for them. A path with an
     * encoded slash, a backslash or a NUL is refused.
     */
    public IdemFilter(HttpGuard guard) {
        this(guard, PathSpelling::route, request -> guard.rules(), null);
    }

    private IdemFilter(
            HttpGuard guard,
            Function<HttpServletRequest, String> route,
            Function<HttpServletRequest, HttpRules> rules,
            @Nullable Duration errorPages) {
        this.guard = guard;
        this.route = route;
        this.rules = rules;
        this.errorPages = errorPages;
    }

    /** Sets how the pattern of a request's route is found, for instance {@code /orders/{id}}. */
    public IdemFilter route(Function<HttpServletRequest, String> pattern) {
        return new IdemFilter(guard, pattern, rules, errorPages);
    }

    /**
     * Sets rules for single requests, for instance those of their routes. The function is asked before the body is read.
     * Default: the rules of the guard.
     */
    public IdemFilter rules(Function<HttpServletRequest, HttpRules> own) {
        return new IdemFilter(guard, route, own, errorPages);
    }

    /**
     * Declares that the application has an error page for every status, as Spring Boot does. A response of {@code
     * sendError} is then recorded with its page. Without it, such a response has the message as its body: the container
     * does not show its own pages to filters, so they could not be replayed. A status that has no page after all is
     * recorded with its message, after five seconds.
     */
    public IdemFilter errorPages() {
        return errorPages(Duration.ofSeconds(5));
    }

    /** With another time within which the container begins to show the page of an error. */
    IdemFilter errorPages(Duration within) {
        return new IdemFilter(guard, route, rules, within);
    }

    /** The rules of requests that have none of their own. */
    public HttpRules rules() {
        return guard.rules();
    }

    /**
     * Declares that the handler of this request did nothing and will do nothing: the key may be used again, whatever the
     * response is. An exception goes on to the container, as without the filter; a handler that throws a {@link
     * dev.idem.NotExecutedException} need not declare it.
     */
    public static void notExecuted(ServletRequest request) {
        request.setAttribute(NOT_EXECUTED, true);
    }

    static boolean isNotExecuted(ServletRequest request) {
        return request.getAttribute(NOT_EXECUTED) != null;
    }

    /**
     * Declares that the transaction of the handler was rolled back although the handler answers as usual. A response below
     * 400 tells of work that is not there: the client gets it, and the request is in doubt. A refusal (4xx) counts as
     * usual: it says itself that the work was not done.
     *
     * @param why for the log and for the entry
     */
    public static void rolledBack(ServletRequest request, String why) {
        request.setAttribute(ROLLED_BACK, why);
    }

    static @Nullable String rolledBack(ServletRequest request) {
        return (String) request.getAttribute(ROLLED_BACK);
    }

    /** Registers the filter for all paths and for the dispatcher types it needs. */
    public void register(ServletContext context) {
        FilterRegistration.Dynamic registration = context.addFilter("idem", this);
        registration.setAsyncSupported(true);
        registration.addMappingForUrlPatterns(
                EnumSet.of(DispatcherType.REQUEST, DispatcherType.ASYNC, DispatcherType.ERROR), true, "/*");
    }

    @Override
    public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        if (!(request instanceof HttpServletRequest http) || !(response instanceof HttpServletResponse answer)) {
            chain.doFilter(request, response);
            return;
        }
        Dispatching known = (Dispatching) request.getAttribute(ATTRIBUTE);
        GuardedRequest unguarded = (GuardedRequest) request.getAttribute(UNGUARDED);
        if (unguarded != null) {
            chain.doFilter(unguarded.seenThrough(http), response);
        } else if (known == null && request.getDispatcherType() == DispatcherType.ERROR) {
            // The page of an error that another filter has sent, or of a request that was not guarded.
            chain.doFilter(request, response);
        } else if (known == null) {
            first(http, answer, chain);
        } else if (request.getDispatcherType() == DispatcherType.ERROR && known.awaitsErrorPage()) {
            known.errorPage(chain, http);
            known.sendIfReplied();
        } else if (request.getDispatcherType() == DispatcherType.ASYNC && known.isPending()) {
            known.again(chain, http);
            known.sendIfReplied();
        } else {
            chain.doFilter(request, response);
        }
    }

    private void first(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        HttpRules own = rules.apply(request);
        GuardedRequest guarded = new GuardedRequest(request, own, route);
        Dispatching dispatching = new Dispatching(guarded, response, own, errorPages);
        CompletableFuture<Reply> reply = guard.handle(guarded, own, call -> {
            request.setAttribute(ATTRIBUTE, dispatching);
            return dispatching.first(chain);
        });
        if (reply.isDone() && !reply.isCompletedExceptionally() && reply.join() instanceof Reply.Unguarded) {
            if (guarded.isRead()) {
                // The guard has looked for a key in the body. It is short, so there is no file to delete.
                request.setAttribute(UNGUARDED, guarded);
            }
            chain.doFilter(guarded.isRead() ? guarded : request, response);
            return;
        }
        var unused = reply.whenComplete(dispatching::replied);
        dispatching.sendIfReplied();
    }
}
