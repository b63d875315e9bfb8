package dev.idem.gauntlet;

import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import org.aspectj.lang.JoinPoint;
import org.aspectj.lang.ProceedingJoinPoint;
import org.aspectj.lang.Signature;
import org.aspectj.lang.reflect.MethodSignature;
import org.aspectj.lang.reflect.SourceLocation;
import org.aspectj.runtime.internal.AroundClosure;
import org.jspecify.annotations.Nullable;

/** The join point that the weaver would make around a piece of work: a method that returns a text. */
final class WorkJoinPoint implements ProceedingJoinPoint {
    private static final Method RUN = run();
    private static final Signature SIGNATURE = (Signature) Proxy.newProxyInstance(
            MethodSignature.class.getClassLoader(),
            new Class<?>[] {MethodSignature.class},
            (proxy, method, args) -> switch (method.getName()) {
                case "getMethod" -> RUN;
                case "getReturnType" -> String.class;
                case "getName" -> "run";
                default -> null;
            });

    private final Work work;

    WorkJoinPoint(Work work) {
        this.work = work;
    }

    private static Method run() {
        try {
            return Work.class.getMethod("run");
        } catch (NoSuchMethodException e) {
            throw new LinkageError(e.getMessage(), e);
        }
    }

    @Override
    public @Nullable Object proceed() {
        return work.run();
    }

    @Override
    public @Nullable Object proceed(Object[] args) {
        return work.run();
    }

    @Override
    public Object[] getArgs() {
        return new Object[0];
    }

    @Override
    public Signature getSignature() {
        return SIGNATURE;
    }

    @Override
    public void set$AroundClosure(AroundClosure closure) {}

    @Override
    public String toShortString() {
        return "work";
    }

    @Override
    public String toLongString() {
        return "work";
    }

    @Override
    public Object getThis() {
        return work;
    }

    @Override
    public Object getTarget() {
        return work;
    }

    @Override
    public SourceLocation getSourceLocation() {
        throw new UnsupportedOperationException("work has no source location");
    }

    @Override
    public String getKind() {
        return METHOD_EXECUTION;
    }

    @Override
    public JoinPoint.StaticPart getStaticPart() {
        throw new UnsupportedOperationException("work has no static part");
    }
}
