package dev.idem.spring;

import dev.idem.Idem;
import dev.idem.agent.tool.Once;
import java.lang.reflect.Method;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import org.springframework.aop.Advisor;
import org.springframework.aop.framework.Advised;
import org.springframework.aop.framework.AopInfrastructureBean;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.stereotype.Controller;

/**
 * Puts a proxy around each bean that has {@link Once} methods. It comes last, and its advice is the innermost one, but for
 * the transaction: a call that security or validation refuses claims no key.
 */
final class OnceProcessor implements BeanPostProcessor, Ordered {
    private final ObjectProvider<Idem> idem;
    private final BooleanSupplier filtered;
    private final Predicate<Once> which;
    private final boolean insideTransaction;

    /** The bean method of each operation. */
    private final Map<String, String> operations = new ConcurrentHashMap<>();

    /**
     * Guards some of the methods.
     *
     * @param idem asked when the first bean needs it: a processor must not create other beans before their time
     * @param filtered whether requests are guarded
     * @param which the methods
     * @param insideTransaction whether they are guarded inside the transaction of the same method, or around it
     */
    OnceProcessor(
            ObjectProvider<Idem> idem, BooleanSupplier filtered, Predicate<Once> which, boolean insideTransaction) {
        this.idem = idem;
        this.filtered = filtered;
        this.which = which;
        this.insideTransaction = insideTransaction;
    }

    @Override
    public int getOrder() {
        return LOWEST_PRECEDENCE;
    }

    @Override
    public Object postProcessAfterInitialization(Object bean, String beanName) {
        Class<?> type = AopUtils.getTargetClass(bean);
        if (bean instanceof AopInfrastructureBean || !AnnotationUtils.isCandidateClass(type, Once.class)) {
            return bean;
        }
        Map<Method, Once> annotated = annotated(type);
        if (!annotated.isEmpty() && AnnotatedElementUtils.hasAnnotation(type, Controller.class)) {
            requireFilter(type, annotated.keySet().iterator().next());
            return bean;
        }
        return annotated.isEmpty() ? bean : proxy(bean, interceptor(bean, beanName, type, annotated));
    }

    /** The filter guards handlers, by the rules of {@link OnceHandlers}. */
    private void requireFilter(Class<?> type, Method method) {
        if (!filtered.getAsBoolean()) {
            throw OnceChecks.refused(
                    type,
                    method,
                    "requests are not guarded in this application: the filter is for Spring MVC on servlets, not for"
                            + " WebFlux, and idem.http.enabled has to be true",
                    "Move the annotation to a method of a service that returns a value or a CompletableFuture");
        }
    }

    private Map<Method, Once> annotated(Class<?> type) {
        try {
            return MethodIntrospector.selectMethods(type, (Method method) -> {
                Once once = AnnotatedElementUtils.findMergedAnnotation(method, Once.class);
                return once != null && which.test(once) ? once : null;
            });
        } catch (IllegalStateException | LinkageError e) {
            // A class of a library that names types which are not on the class path.
            return Map.of();
        }
    }

    private OnceInterceptor interceptor(Object bean, String beanName, Class<?> type, Map<Method, Once> annotated) {
        Map<Method, OnceMethod> methods = new HashMap<>();
        annotated.forEach((method, once) -> {
            OnceChecks.requireProxyable(bean, type, method);
            OnceMethod guarded = OnceMethod.of(idem.getObject(), beanName, type, method, once);
            String owner = beanName + "#" + method;
            String other = operations.putIfAbsent(guarded.operation(), owner);
            if (other != null && !other.equals(owner)) {
                throw OnceChecks.refused(
                        type,
                        method,
                        "another bean method has the operation '" + guarded.operation() + "' too, so one would get the"
                                + " results of the other",
                        "Give each a name of its own: @Once(name = \"...\")");
            }
            methods.put(method, guarded);
        });
        return new OnceInterceptor(methods);
    }

    private Object proxy(Object bean, OnceInterceptor interceptor) {
        Advisor advisor = interceptor.advisor();
        if (bean instanceof Advised advised && !advised.isFrozen()) {
            int transaction = insideTransaction ? -1 : OwnTransaction.position(advised.getAdvisors());
            advised.addAdvisor(transaction < 0 ? advised.getAdvisorCount() : transaction, advisor);
            if (!insideTransaction) {
                OwnTransaction.watch(advised, interceptor);
            }
            return bean;
        }
        ProxyFactory factory = new ProxyFactory(bean);
        factory.setProxyTargetClass(true);
        factory.addAdvisor(advisor);
        return factory.getProxy(bean.getClass().getClassLoader());
    }
}
