package dev.idem.spring;

import dev.idem.http.servlet.IdemFilter;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import java.io.IOException;
import java.util.Set;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.ProxyMethodInvocation;
import org.springframework.aop.framework.Advised;
import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.core.Ordered;
import org.springframework.util.ClassUtils;
import org.springframework.web.context.request.RequestContextHolder;
import org.springframework.web.context.request.ServletRequestAttributes;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.servlet.HandlerMapping;

/**
 * The denial of one request by method security. The request counts as not executed if the exception of Spring Security
 * reaches the filter, was thrown by the advice of the handler, and no method of the controller had begun. Everything else
 * may have had an effect.
 */
final class Denial {
    private static final String ATTRIBUTE = Denial.class.getName();
    private static final String SECURITY = "org.springframework.security.";
    private static final Set<String> REFUSALS =
            Set.of(SECURITY + "access.AccessDeniedException", SECURITY + "core.AuthenticationException");

    /** Also read by a thread that runs the method in place of the request's. */
    private volatile boolean begun;

    private @Nullable Throwable thrown;

    /** Puts advice around and inside that of method security, on controllers that have it. */
    static final class Processor implements BeanPostProcessor, Ordered {
        @Override
        public int getOrder() {
            return LOWEST_PRECEDENCE;
        }

        @Override
        public Object postProcessAfterInitialization(Object bean, String beanName) {
            Advised advised = HandlerTransactions.advisedController(bean);
            if (advised != null && isSecured(advised)) {
                advised.addAdvisor(0, new DefaultPointcutAdvisor((MethodInterceptor) Denial::enter));
                advised.addAdvisor(
                        advised.getAdvisorCount(), new DefaultPointcutAdvisor((MethodInterceptor) Denial::begin));
            }
            return bean;
        }

        private static boolean isSecured(Advised bean) {
            for (var advisor : bean.getAdvisors()) {
                if (advisor.getAdvice().getClass().getName().startsWith(SECURITY)) {
                    return true;
                }
            }
            return false;
        }
    }

    /** Behind the filter of Idem: sees the exceptions that it will see. */
    static final class Watch implements Filter {
        @Override
        public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
                throws IOException, ServletException {
            try {
                chain.doFilter(request, response);
            } catch (ServletException | RuntimeException e) {
                Throwable cause = e instanceof ServletException ? e.getCause() : e;
                if (request.getAttribute(ATTRIBUTE) instanceof Denial denial
                        && !denial.begun
                        && cause != null
                        && cause == denial.thrown) {
                    IdemFilter.notExecuted(request);
                }
                throw e;
            }
        }
    }

    private static @Nullable Object enter(MethodInvocation invocation) throws Throwable {
        Denial denial = of(invocation);
        if (denial == null) {
            return invocation.proceed();
        }
        ((ProxyMethodInvocation) invocation).setUserAttribute(ATTRIBUTE, denial);
        try {
            return invocation.proceed();
        } catch (Throwable e) {
            denial.thrown = isRefusal(e) ? e : denial.thrown;
            throw e;
        }
    }

    private static @Nullable Object begin(MethodInvocation invocation) throws Throwable {
        if (((ProxyMethodInvocation) invocation).getUserAttribute(ATTRIBUTE) instanceof Denial denial) {
            denial.begun = true;
        }
        return invocation.proceed();
    }

    /** Null unless this is the controller of the request itself: another one may have begun before. */
    private static @Nullable Denial of(MethodInvocation invocation) {
        Object target = invocation.getThis();
        if (target == null
                || !(RequestContextHolder.getRequestAttributes() instanceof ServletRequestAttributes attributes)
                || attributes.getRequest().getDispatcherType() != DispatcherType.REQUEST
                || !(attributes.getRequest().getAttribute(HandlerMapping.BEST_MATCHING_HANDLER_ATTRIBUTE)
                        instanceof HandlerMethod handler)
                || ClassUtils.getUserClass(handler.getBeanType()) != ClassUtils.getUserClass(target)) {
            return null;
        }
        ServletRequest request = attributes.getRequest();
        if (!(request.getAttribute(ATTRIBUTE) instanceof Denial known)) {
            Denial first = new Denial();
            request.setAttribute(ATTRIBUTE, first);
            return first;
        }
        return known;
    }

    private static boolean isRefusal(Throwable thrown) {
        for (Class<?> type = thrown.getClass(); type != null; type = type.getSuperclass()) {
            if (REFUSALS.contains(type.getName())) {
                return true;
            }
        }
        return false;
    }
}
