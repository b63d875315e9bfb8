package dev.idem.spring;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.security.Principal;
import org.springframework.core.Ordered;
import org.springframework.web.filter.OncePerRequestFilter;

/** Stands for Spring Security, with its order: takes the caller's name from the header {@code X-Caller}, and refuses mallory. */
final class CallerFilter extends OncePerRequestFilter implements Ordered {
    @Override
    public int getOrder() {
        return -100;
    }

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        String caller = request.getHeader("X-Caller");
        if ("mallory".equals(caller)) {
            response.sendError(403);
            return;
        }
        chain.doFilter(
                new HttpServletRequestWrapper(request) {
                    @Override
                    public Principal getUserPrincipal() {
                        return caller == null || caller.isEmpty() ? null : () -> caller;
                    }
                },
                response);
    }
}
