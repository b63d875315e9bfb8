package dev.idem.spring;

import dev.idem.agent.tool.Once;
import java.io.InputStream;
import java.io.Reader;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import java.util.stream.BaseStream;
import org.springframework.aop.support.AopUtils;
import org.springframework.core.ReactiveAdapterRegistry;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.scheduling.annotation.Async;
import org.springframework.util.ClassUtils;

/** Refuses methods that {@link Once} could not keep its promise for. They stop the start of the application. */
final class OnceChecks {
    private static final Set<String> PUBLISHERS =
            Set.of("org.reactivestreams.Publisher", "java.util.concurrent.Flow$Publisher");

    /** Results that can be read only once, or are not there yet. */
    private static final List<Class<?>> UNREPEATABLE =
            List.of(BaseStream.class, InputStream.class, Reader.class, Iterator.class);

    private OnceChecks() {}

    static IllegalStateException refused(Class<?> type, Method method, String why, String instead) {
        return new IllegalStateException(
                "@Once on " + ClassUtils.getUserClass(type).getSimpleName() + "." + method.getName()
                        + " can't be kept: " + why + ". " + instead);
    }

    /** Refuses a method whose calls do not go through a proxy. */
    static void requireProxyable(Object bean, Class<?> type, Method method) {
        String keyword = Modifier.isPrivate(method.getModifiers())
                ? "private"
                : Modifier.isStatic(method.getModifiers()) ? "static" : "";
        if (!keyword.isEmpty()) {
            throw refused(
                    type,
                    method,
                    "the method is " + keyword + ", so a proxy never sees its calls",
                    "Make it a public method without '" + keyword + "'");
        }
        if (AopUtils.isJdkDynamicProxy(bean)) {
            boolean seen = ClassUtils.getAllInterfacesForClassAsSet(bean.getClass()).stream()
                    .anyMatch(each -> ClassUtils.hasMethod(each, method.getName(), method.getParameterTypes()));
            if (!seen) {
                throw refused(
                        type,
                        method,
                        "the bean is a proxy of its interfaces, which do not have the method",
                        "Add it to the interface, or set spring.aop.proxy-target-class=true");
            }
        } else if (Modifier.isFinal(method.getModifiers())) {
            throw refused(type, method, "the method is final, so a proxy can't override it", "Remove 'final'");
        } else if (Modifier.isFinal(type.getModifiers())) {
            throw refused(
                    type,
                    method,
                    "the class is final, so it can't have a proxy",
                    "Remove 'final'; a record has to become a class");
        }
    }

    /** Refuses a method whose result does not tell how its work ended, or can't be given twice. */
    static void requireResult(Class<?> type, Method method) {
        Class<?> result = method.getReturnType();
        boolean isStage = CompletionStage.class.isAssignableFrom(result);
        if (publishes(result)) {
            throw refused(
                    type,
                    method,
                    "it returns " + result.getSimpleName() + ", and its work begins only when somebody subscribes",
                    "Return the value, or a CompletableFuture of a collected value: .toFuture()");
        } else if (UNREPEATABLE.stream().anyMatch(each -> each.isAssignableFrom(result))) {
            throw refused(
                    type,
                    method,
                    "it returns " + result.getSimpleName() + ", which can be read only once",
                    "Return the content: a List, a String or a byte[]");
        } else if (isStage && !result.isAssignableFrom(CompletableFuture.class)) {
            throw refused(
                    type,
                    method,
                    "it returns " + result.getSimpleName() + ", which can't be made from a stored result",
                    "Return a CompletableFuture");
        } else if (!isStage && Future.class.isAssignableFrom(result)) {
            throw refused(
                    type,
                    method,
                    "it returns " + result.getSimpleName() + ", which does not tell when it ends",
                    "Return a CompletableFuture");
        }
        requireEnd(type, method);
    }

    /** Refuses a method that returns at once, without a future that would tell how its work ended. */
    static void requireEnd(Class<?> type, Method method) {
        if (!CompletionStage.class.isAssignableFrom(method.getReturnType()) && isAsync(type, method)) {
            throw refused(
                    type,
                    method,
                    "it is @Async and returns no future, so nothing tells how its work ended",
                    "Return a CompletableFuture, for instance CompletableFuture<Void>");
        }
    }

    static boolean publishes(Class<?> result) {
        boolean adapted = !CompletionStage.class.isAssignableFrom(result)
                && ReactiveAdapterRegistry.getSharedInstance().getAdapter(result) != null;
        return adapted
                || PUBLISHERS.contains(result.getName())
                || ClassUtils.getAllInterfacesForClassAsSet(result).stream()
                        .anyMatch(each -> PUBLISHERS.contains(each.getName()));
    }

    static boolean isAsync(Class<?> type, Method method) {
        return AnnotatedElementUtils.hasAnnotation(method, Async.class)
                || AnnotatedElementUtils.hasAnnotation(type, Async.class);
    }
}
