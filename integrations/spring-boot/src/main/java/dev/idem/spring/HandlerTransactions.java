package dev.idem.spring;

import dev.idem.http.servlet.IdemFilter;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.Pointcut;
import org.springframework.aop.framework.Advised;
import org.springframework.aop.support.AopUtils;
import org.springframework.aop.support.annotation.AnnotationMatchingPointcut;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.context.request.RequestContextHolder;
import org.springframework.web.context.request.ServletRequestAttributes;

/**
 * Tells the filter that the transaction of a handler was rolled back although the handler has returned. The filter guards
 * handlers with and without {@code @Once}.
 */
final class HandlerTransactions implements BeanPostProcessor, Ordered {
    private static final Pointcut HANDLERS = new AnnotationMatchingPointcut(null, RequestMapping.class, true);

    @Override
    public int getOrder() {
        return LOWEST_PRECEDENCE;
    }

    @Override
    public Object postProcessAfterInitialization(Object bean, String beanName) {
        Advised advised = advisedController(bean);
        if (advised != null) {
            OwnTransaction.whereRolledBack(advised, HANDLERS, (method, result) -> rolledBack(method));
        }
        return bean;
    }

    /** The proxy of a controller, to which advice can be added; null for other beans. */
    static @Nullable Advised advisedController(Object bean) {
        return bean instanceof Advised advised
                        && !advised.isFrozen()
                        && AnnotatedElementUtils.hasAnnotation(AopUtils.getTargetClass(bean), Controller.class)
                ? advised
                : null;
    }

    private static void rolledBack(String method) {
        if (RequestContextHolder.getRequestAttributes() instanceof ServletRequestAttributes attributes) {
            IdemFilter.rolledBack(attributes.getRequest(), SilentRollbackException.told(method));
        }
    }
}
