package dev.idem.spring;

import dev.idem.Idem;
import java.util.List;
import org.springframework.aop.Pointcut;
import org.springframework.aop.framework.Advised;
import org.springframework.aop.support.AopUtils;
import org.springframework.aop.support.annotation.AnnotationMatchingPointcut;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.autoconfigure.condition.NoneNestedConditions;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.servlet.DispatcherServlet;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerAdapter;

/** Calls bean methods with {@link WebhookHandler} for the webhooks of {@code idem.webhooks}. */
@AutoConfiguration(after = IdemAutoConfiguration.class)
public class IdemWebhookAutoConfiguration {
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
    @ConditionalOnClass(DispatcherServlet.class)
    static class Servlets {
        /** An event whose transaction was rolled back is not handled, also if its method has returned. */
        @Bean
        static BeanPostProcessor idemWebhookTransactions() {
            Pointcut handlers = new AnnotationMatchingPointcut(null, WebhookHandler.class, true);
            return new BeanPostProcessor() {
                @Override
                public Object postProcessAfterInitialization(Object bean, String beanName) {
                    if (bean instanceof Advised advised
                            && !advised.isFrozen()
                            && AopUtils.canApply(handlers, AopUtils.getTargetClass(bean))) {
                        OwnTransaction.require(advised, handlers);
                    }
                    return bean;
                }
            };
        }

        @Bean
        WebhookEndpoints idemWebhooks(
                Idem idem,
                IdemProperties properties,
                ConfigurableListableBeanFactory beans,
                ObjectProvider<RequestMappingHandlerAdapter> adapters) {
            return new WebhookEndpoints(idem, properties.webhooks(), beans, () -> {
                RequestMappingHandlerAdapter adapter = adapters.getIfAvailable();
                return adapter == null ? List.of() : adapter.getMessageConverters();
            });
        }
    }

    /** Stops an application that would never receive what its methods handle. */
    @Configuration(proxyBeanMethods = false)
    @Conditional(WithoutServlets.class)
    static class Others {
        @Bean
        SmartInitializingSingleton idemWebhooksNeedServlets(
                IdemProperties properties, ConfigurableListableBeanFactory beans) {
            return () -> {
                if (!properties.webhooks().isEmpty()
                        || !WebhookMethods.of(beans).isEmpty()) {
                    throw new IllegalStateException("@WebhookHandler and idem.webhooks need Spring MVC, and this"
                            + " application has none. Add spring-boot-starter-web, or in WebFlux call"
                            + " WebhookEndpoint.receive(...) in a handler of yours");
                }
            };
        }
    }

    /** There is no Spring MVC. */
    static final class WithoutServlets extends NoneNestedConditions {
        WithoutServlets() {
            super(ConfigurationPhase.REGISTER_BEAN);
        }

        @ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
        @ConditionalOnClass(DispatcherServlet.class)
        static class HasServlets {}
    }
}
