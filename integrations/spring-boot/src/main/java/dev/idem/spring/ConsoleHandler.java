package dev.idem.spring;

import dev.idem.server.Access;
import dev.idem.server.Api;
import dev.idem.server.ApiError;
import dev.idem.server.ApiException;
import dev.idem.server.Caller;
import dev.idem.server.ConsoleSettings;
import dev.idem.server.Operations;
import dev.idem.server.Problem;
import dev.idem.server.Watch;
import dev.idem.server.console.Console;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpSession;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.Principal;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.security.access.AccessDeniedException;
import org.springframework.security.web.csrf.CsrfToken;
import org.springframework.web.HttpRequestHandler;
import org.springframework.web.servlet.HandlerMapping;

/**
 * Shows the console, and answers what it asks for, to the users of the application who have a role. The application signs
 * them in, and its filters have refused requests without a CSRF token before this is called.
 */
final class ConsoleHandler implements HttpRequestHandler, WithoutKey {
    private static final Access READ = Access.of(List.of("read"), List.of("*"));
    private static final String METHODS = "v1/";
    private static final String JSON = "application/json";
    private static final byte[] NO_PARAMS = {'{', '}'};

    private final Console files = new Console();
    private final Api api;
    private final Supplier<Watch> watch;
    private final IdemProperties.Console properties;
    private final ConsoleSettings settings;

    ConsoleHandler(Api api, Supplier<Watch> watch, IdemProperties.Console properties) {
        this.api = api;
        this.watch = watch;
        this.properties = properties;
        this.settings = new ConsoleSettings(api, "none", Operations.NONE);
    }

    @Override
    public void handleRequest(HttpServletRequest request, HttpServletResponse response) throws IOException {
        String path = String.valueOf(request.getAttribute(HandlerMapping.PATH_WITHIN_HANDLER_MAPPING_ATTRIBUTE));
        response.setHeader("Cache-Control", "no-store");
        response.setHeader("X-Content-Type-Options", "nosniff");
        response.setHeader("Referrer-Policy", "no-referrer");
        response.setHeader("Cross-Origin-Resource-Policy", "same-origin");
        boolean isFile = !path.startsWith(METHODS) && !path.equals("console/settings");
        Access access = access(request);
        if (access == null && isFile) {
            // The application asks for its login, or shows its page for those who may not.
            throw new AccessDeniedException("the console needs a role of idem.console");
        }
        try {
            if (access == null) {
                throw request.getUserPrincipal() == null
                        ? new ApiException(ApiError.UNAUTHORISED, "sign in to the application. Nothing was done")
                        : new ApiException(ApiError.FORBIDDEN, "this needs a role of idem.console. Nothing was done");
            }
            requireOwnPage(request, path.isEmpty() || path.equals(Console.INDEX));
            if (isFile) {
                sendFile(path, request, response);
            } else {
                answer(path, caller(request, access), request, response);
            }
        } catch (ApiException e) {
            send(Problem.of(e), response);
        }
    }

    /** What the user of a request may do; null for nothing. */
    private @Nullable Access access(HttpServletRequest request) {
        if (request.getUserPrincipal() == null) {
            return null;
        } else if (request.isUserInRole(properties.role())) {
            return Access.ALL;
        }
        return properties.readRole() != null && request.isUserInRole(properties.readRole()) ? READ : null;
    }

    private static Caller caller(HttpServletRequest request, Access access) {
        Principal user = request.getUserPrincipal();
        HttpSession session = request.getSession(false);
        return new Caller(
                user.getName(), false, access, session == null ? () -> true : stands(session), () -> true, false);
    }

    /** Whether the user has not signed out. */
    private static BooleanSupplier stands(HttpSession session) {
        return () -> {
            try {
                return session.getCreationTime() > 0;
            } catch (IllegalStateException e) {
                return false;
            }
        };
    }

    /** Refuses what a browser sends for a page of another origin, whatever else the application allows such pages. */
    private static void requireOwnPage(HttpServletRequest request, boolean isPage) {
        String site = request.getHeader("Sec-Fetch-Site");
        boolean isGet = request.getMethod().equals("GET");
        boolean visit = isPage
                && isGet
                && "navigate".equals(request.getHeader("Sec-Fetch-Mode"))
                && "document".equals(request.getHeader("Sec-Fetch-Dest"));
        if (site != null && !site.equals("same-origin") && !(site.equals("none") && isGet) && !visit) {
            throw new ApiException(
                    ApiError.FORBIDDEN, "the request comes from a page of another site. Nothing was done");
        }
    }

    private void sendFile(String path, HttpServletRequest request, HttpServletResponse response) throws IOException {
        boolean reads = request.getMethod().equals("GET") || request.getMethod().equals("HEAD");
        Console.File file = reads ? files.file(path) : null;
        if (file == null) {
            send(new Problem(404, "not_found", "there is nothing here. Nothing was done"), response);
        } else if (path.isEmpty() && !request.getRequestURI().endsWith("/")) {
            // The links of the page start where it is.
            String name = properties.path().replaceFirst(".*/(?=[^/]+/$)", "");
            response.setHeader("Location", name);
            response.setStatus(302);
        } else {
            sendFile(file, request, response);
        }
    }

    private static void sendFile(Console.File file, HttpServletRequest request, HttpServletResponse response)
            throws IOException {
        response.setHeader("Content-Security-Policy", Console.CONTENT_SECURITY_POLICY);
        if (!file.media().startsWith("text/html")) {
            response.setHeader("Cache-Control", "no-cache");
            response.setHeader("ETag", file.tag());
            if (file.tag().equals(request.getHeader("If-None-Match"))) {
                response.setStatus(304);
                return;
            }
        }
        response.setContentType(file.media());
        response.setContentLength(file.bytes().length);
        if (request.getMethod().equals("GET")) {
            response.getOutputStream().write(file.bytes());
        }
    }

    private void answer(String path, Caller caller, HttpServletRequest request, HttpServletResponse response)
            throws IOException {
        String asked = request.getMethod() + " " + path;
        if (asked.equals("GET console/settings")) {
            send(200, JSON, settings.signedIn(caller, csrf(request)), response);
        } else if (asked.equals("GET v1/events")) {
            watch.get()
                    .listen(
                            caller,
                            Watch.filter(request.getQueryString()),
                            request.getHeader("Last-Event-ID") != null,
                            () -> ConsoleStream.begin(request, response));
        } else if (!asked.startsWith("POST " + METHODS)) {
            send(new Problem(405, "malformed", "send a POST with a JSON object. Nothing was done"), response);
        } else {
            Problem wrong = Problem.unlessJson(request.getContentType());
            if (wrong != null) {
                send(wrong, response);
                return;
            }
            call(path.substring(METHODS.length()), caller, request, response);
        }
    }

    private void call(String method, Caller caller, HttpServletRequest request, HttpServletResponse response)
            throws IOException {
        byte[] body = request.getInputStream().readNBytes(Api.LARGEST_REQUEST + 1);
        if (body.length > Api.LARGEST_REQUEST) {
            throw new ApiException(
                    ApiError.TOO_LARGE, "a request has at most " + Api.LARGEST_REQUEST + " bytes. Nothing was done");
        }
        byte[] params = body.length == 0 ? NO_PARAMS : body;
        String answer;
        try {
            answer = api.call(method, params, caller);
        } catch (ApiException e) {
            throw e;
        } catch (RuntimeException e) {
            send(Problem.of(e), response);
            return;
        }
        send(200, JSON, answer, response);
    }

    private static ConsoleSettings.@Nullable Csrf csrf(HttpServletRequest request) {
        return request.getAttribute(CsrfToken.class.getName()) instanceof CsrfToken token
                ? new ConsoleSettings.Csrf(token.getHeaderName(), token.getToken())
                : null;
    }

    private static void send(Problem problem, HttpServletResponse response) throws IOException {
        send(problem.status(), Problem.MEDIA, problem.json(), response);
    }

    private static void send(int status, String media, String text, HttpServletResponse response) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        response.setStatus(status);
        response.setContentType(media);
        response.setContentLength(bytes.length);
        response.getOutputStream().write(bytes);
    }
}
