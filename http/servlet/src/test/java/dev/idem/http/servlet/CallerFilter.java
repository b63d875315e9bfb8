package dev.idem.http.servlet;

import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.security.Principal;

/**
 * Stands for the application's authentication. It refuses mallory, sets headers of its own where it traces, asks for a parameter where it checks a token, and
 * reads the first bytes of the body where it checks a signature.
 */
final class CallerFilter implements Filter {
    @Override
    public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        String caller = ((HttpServletRequest) request).getHeader("X-Caller");
        if ("mallory".equals(caller) && request.getDispatcherType() == DispatcherType.REQUEST) {
            ((HttpServletResponse) response).sendError(403);
            return;
        }
        if (((HttpServletRequest) request).getHeader("X-Checks-Token") != null) {
            request.getParameter("token");
        }
        int signed = ((HttpServletRequest) request).getIntHeader("X-Signed-Bytes");
        if (signed > 0) {
            request.getInputStream().readNBytes(signed);
        }
        if (((HttpServletRequest) request).getHeader("X-Trace") != null) {
            ((HttpServletResponse) response).addHeader("X-Trace", "1");
            ((HttpServletResponse) response).addHeader("X-Trace", "2");
            ((HttpServletResponse) response).addHeader("Set-Cookie", "login=1");
        }
        chain.doFilter(
                new HttpServletRequestWrapper((HttpServletRequest) request) {
                    @Override
                    public Principal getUserPrincipal() {
                        return caller == null || caller.isEmpty() ? null : () -> caller;
                    }
                },
                response);
    }
}
