package dev.idem.spring;

import dev.idem.Call;
import dev.idem.http.webhook.WebhookAnswer;
import dev.idem.http.webhook.WebhookEndpoint;
import dev.idem.http.webhook.WebhookEndpointBuilder;
import dev.idem.http.webhook.WebhookEvent;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.support.AopUtils;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpInputMessage;
import org.springframework.http.MediaType;
import org.springframework.http.converter.HttpMessageConverter;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/** A bean method with {@link WebhookHandler}, and how an event becomes its arguments. */
final class WebhookMethod {
    private final String name;
    private final Supplier<Object> bean;
    private final Method method;
    private final Class<?> type;

    /**
     * A method that can be called.
     *
     * @param bean asked at the first event, so that a lazy bean stays lazy
     * @throws IllegalStateException if the method can't be called; the message says what to change
     */
    WebhookMethod(String name, Supplier<Object> bean, Class<?> type, Method method) {
        this.name = name;
        this.bean = bean;
        this.type = ClassUtils.getUserClass(type);
        this.method = method;
        check();
    }

    private void check() {
        if (Modifier.isStatic(method.getModifiers()) || Modifier.isPrivate(method.getModifiers())) {
            throw refused("it is static or private", "Make it a method that Spring can call through a proxy");
        }
        Class<?> returned = method.getReturnType();
        if (returned != void.class && returned != WebhookAnswer.class) {
            throw refused(
                    "it returns " + returned.getSimpleName() + ", which no sender gets and nothing waits for",
                    "Return void when the event is handled, or a WebhookAnswer");
        }
        if (OnceChecks.isAsync(type, method)) {
            throw refused(
                    "it is @Async, so an event would count as handled before its work has ended", "Remove @Async");
        }
        List<Class<?>> bodies = Stream.of(method.getParameterTypes())
                .filter(each -> each != Call.class && each != WebhookEvent.class)
                .toList();
        if (method.getParameterCount() == 0
                || bodies.size() > 1
                || bodies.stream().anyMatch(Class::isPrimitive)) {
            throw refused(
                    "its parameters are not those of an event",
                    "Take WebhookEvent, String, byte[] or one type of yours, and if you like Call");
        }
    }

    boolean answers() {
        return method.getReturnType() == WebhookAnswer.class;
    }

    WebhookEndpoint on(WebhookEndpointBuilder settings, Supplier<List<HttpMessageConverter<?>>> converters) {
        if (answers()) {
            return settings.respond((event, call) -> (WebhookAnswer) invoke(event, call, converters));
        }
        return settings.handle((event, call) -> invoke(event, call, converters));
    }

    private Object invoke(WebhookEvent event, Call call, Supplier<List<HttpMessageConverter<?>>> converters)
            throws Exception {
        Object[] arguments = new Object[method.getParameterCount()];
        for (int i = 0; i < arguments.length; i++) {
            arguments[i] = argument(method.getParameterTypes()[i], event, call, converters);
        }
        Object target = bean.get();
        // The bean may be a proxy, with or without the class of the method.
        Method callable = AopUtils.selectInvocableMethod(method, target.getClass());
        ReflectionUtils.makeAccessible(callable);
        try {
            return callable.invoke(target, arguments);
        } catch (InvocationTargetException e) {
            if (e.getCause() instanceof Error error) {
                throw error;
            }
            throw e.getCause() instanceof Exception failure ? failure : e;
        }
    }

    private Object argument(
            Class<?> wanted, WebhookEvent event, Call call, Supplier<List<HttpMessageConverter<?>>> converters)
            throws IOException {
        if (wanted == WebhookEvent.class) {
            return event;
        } else if (wanted == Call.class) {
            return call;
        } else if (wanted == byte[].class) {
            return event.bytes();
        }
        return wanted == String.class ? event.text() : read(wanted, event.bytes(), converters.get());
    }

    /** By a converter of the application, so with its own Jackson, whichever that is. */
    @SuppressWarnings("unchecked")
    private Object read(Class<?> wanted, byte[] body, List<HttpMessageConverter<?>> converters) throws IOException {
        for (HttpMessageConverter<?> converter : converters) {
            if (converter.canRead(wanted, MediaType.APPLICATION_JSON)) {
                return ((HttpMessageConverter<Object>) converter)
                        .read(wanted, new Body(new ByteArrayInputStream(body)));
            }
        }
        throw new IllegalStateException(where() + " can't be given a " + wanted.getSimpleName()
                + ": the application reads no such type from JSON. Add Jackson, or take WebhookEvent or String");
    }

    /** An event as a converter reads it. */
    private record Body(InputStream stream) implements HttpInputMessage {
        @Override
        public InputStream getBody() {
            return stream;
        }

        @Override
        public HttpHeaders getHeaders() {
            HttpHeaders headers = new HttpHeaders();
            headers.setContentType(MediaType.APPLICATION_JSON);
            return headers;
        }
    }

    String where() {
        return "@WebhookHandler(\"" + name + "\") on " + type.getSimpleName() + "." + method.getName();
    }

    IllegalStateException refused(String why, @Nullable String instead) {
        return new IllegalStateException(
                where() + " can't be called: " + why + (instead == null ? "" : ". " + instead));
    }
}
