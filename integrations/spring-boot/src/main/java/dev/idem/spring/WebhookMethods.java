package dev.idem.spring;

import java.lang.reflect.Method;
import java.util.Map;
import java.util.TreeMap;
import org.springframework.aop.scope.ScopedProxyUtils;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.util.ClassUtils;

/** Finds the methods with {@link WebhookHandler}. */
final class WebhookMethods {
    private WebhookMethods() {}

    /**
     * The methods of all beans, by the names of their webhooks.
     *
     * @throws IllegalStateException if two methods have one name, or one can't be called
     */
    static Map<String, WebhookMethod> of(ConfigurableListableBeanFactory beans) {
        Map<String, WebhookMethod> found = new TreeMap<>();
        for (String bean : beans.getBeanDefinitionNames()) {
            Class<?> type = ScopedProxyUtils.isScopedTarget(bean) ? null : beans.getType(bean, false);
            if (type == null || !AnnotationUtils.isCandidateClass(type, WebhookHandler.class)) {
                continue;
            }
            Class<?> own = ClassUtils.getUserClass(type);
            Map<Method, WebhookHandler> handlers =
                    MethodIntrospector.selectMethods(own, (MethodIntrospector.MetadataLookup<WebhookHandler>)
                            method -> AnnotatedElementUtils.findMergedAnnotation(method, WebhookHandler.class));
            handlers.forEach((method, handler) -> {
                WebhookMethod each = new WebhookMethod(handler.value(), () -> beans.getBean(bean), own, method);
                WebhookMethod other = found.put(handler.value(), each);
                if (other != null) {
                    throw new IllegalStateException(other.where() + " and " + each.where()
                            + " have one name. Give one of them another, with idem.webhooks.<name>.sender");
                }
            });
        }
        return found;
    }
}
