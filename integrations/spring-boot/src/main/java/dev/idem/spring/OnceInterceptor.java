package dev.idem.spring;

import java.lang.reflect.Method;
import java.util.Map;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.Advisor;
import org.springframework.aop.support.AopUtils;
import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.aop.support.StaticMethodMatcherPointcut;

/** Runs the guarded methods of one bean. */
final class OnceInterceptor extends StaticMethodMatcherPointcut implements MethodInterceptor {
    private final Map<Method, OnceMethod> methods;

    OnceInterceptor(Map<Method, OnceMethod> methods) {
        this.methods = methods;
    }

    Advisor advisor() {
        return new DefaultPointcutAdvisor(this, this);
    }

    @Override
    public boolean matches(Method method, Class<?> type) {
        return methods.containsKey(AopUtils.getMostSpecificMethod(method, type));
    }

    @Override
    public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
        Object target = invocation.getThis();
        Method method = target == null
                ? invocation.getMethod()
                : AopUtils.getMostSpecificMethod(invocation.getMethod(), target.getClass());
        OnceMethod guarded = methods.get(method);
        return guarded == null ? invocation.proceed() : guarded.invoke(invocation);
    }
}
