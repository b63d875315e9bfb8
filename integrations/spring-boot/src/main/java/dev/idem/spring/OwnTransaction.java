package dev.idem.spring;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BiConsumer;
import java.util.function.BooleanSupplier;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.Advisor;
import org.springframework.aop.Pointcut;
import org.springframework.aop.PointcutAdvisor;
import org.springframework.aop.ProxyMethodInvocation;
import org.springframework.aop.framework.Advised;
import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.aop.support.Pointcuts;

/**
 * The transaction that an invocation begins itself, and that ends before Idem records the outcome. A method can return although
 * its transaction is rolled back: the outcome must then not be recorded as complete.
 */
final class OwnTransaction {
    private static final String ATTRIBUTE = OwnTransaction.class.getName();
    private static final String INTERCEPTOR = "org.springframework.transaction.interceptor.TransactionInterceptor";

    private final List<BooleanSupplier> begun = new CopyOnWriteArrayList<>();

    private OwnTransaction() {}

    /** Begins to look at an invocation. To be called outside of its transaction. */
    static OwnTransaction of(MethodInvocation invocation) {
        OwnTransaction own = new OwnTransaction();
        if (invocation instanceof ProxyMethodInvocation proxied) {
            proxied.setUserAttribute(ATTRIBUTE, own);
        }
        return own;
    }

    /** The look at this invocation; null where there is none. */
    static @Nullable OwnTransaction around(MethodInvocation invocation) {
        return invocation instanceof ProxyMethodInvocation proxied
                ? (OwnTransaction) proxied.getUserAttribute(ATTRIBUTE)
                : null;
    }

    /** A transaction has begun. It is asked for its end when the invocation has returned. */
    void began(BooleanSupplier committed) {
        begun.add(committed);
    }

    /** Whether the invocation has returned, and its rows are gone all the same. */
    boolean isRolledBack() {
        return begun.stream().anyMatch(committed -> !committed.getAsBoolean());
    }

    /** The position of the advice that begins the transactions of a bean; -1 where there is none. */
    static int position(Advisor[] advisors) {
        for (int i = 0; i < advisors.length; i++) {
            if (begins(advisors[i])) {
                return i;
            }
        }
        return -1;
    }

    /**
     * Adds the advice that sees these transactions from inside. It is for the methods that have one of their own: inside of
     * another method of the bean, the status at hand is that of the caller.
     */
    static void watch(Advised bean, Pointcut methods) {
        for (int i = bean.getAdvisorCount() - 1; i >= 0; i--) {
            Advisor advisor = bean.getAdvisors()[i];
            if (begins(advisor)) {
                Pointcut own = advisor instanceof PointcutAdvisor some
                        ? Pointcuts.intersection(methods, some.getPointcut())
                        : methods;
                bean.addAdvisor(i + 1, new DefaultPointcutAdvisor(own, new TransactionWitness()));
            }
        }
    }

    /** Makes a silent rollback an exception of the method. For callers that need no result. */
    static void require(Advised bean, Pointcut methods) {
        whereRolledBack(bean, methods, (method, result) -> {
            throw new SilentRollbackException(method, result);
        });
    }

    /** Adds advice around these transactions, which is told the name and the result of a method whose own was rolled back. */
    static void whereRolledBack(Advised bean, Pointcut methods, BiConsumer<String, @Nullable Object> told) {
        int position = position(bean.getAdvisors());
        if (position >= 0) {
            MethodInterceptor outside = invocation -> {
                OwnTransaction own = of(invocation);
                Object result = invocation.proceed();
                if (own.isRolledBack()) {
                    told.accept(invocation.getMethod().getName(), result);
                }
                return result;
            };
            bean.addAdvisor(position, new DefaultPointcutAdvisor(methods, outside));
            watch(bean, methods);
        }
    }

    /** By name: an application without transactions has no such class. */
    private static boolean begins(Advisor advisor) {
        for (Class<?> type = advisor.getAdvice().getClass(); type != null; type = type.getSuperclass()) {
            if (type.getName().equals(INTERCEPTOR)) {
                return true;
            }
        }
        return false;
    }
}
