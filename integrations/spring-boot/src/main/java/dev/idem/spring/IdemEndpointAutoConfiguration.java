package dev.idem.spring;

import dev.idem.Idem;
import dev.idem.Policy;
import dev.idem.agent.inbox.Poison;
import dev.idem.http.HttpGuard;
import dev.idem.http.webhook.WebhookEndpoint;
import java.util.List;
import java.util.function.BiPredicate;
import java.util.function.Supplier;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping;

/** Adds {@code /actuator/idem}, where the actuator is on the class path and the endpoint is exposed. */
@AutoConfiguration(after = {IdemAutoConfiguration.class, IdemHttpAutoConfiguration.class})
@ConditionalOnClass(ConditionalOnAvailableEndpoint.class)
@ConditionalOnAvailableEndpoint(IdemEndpoint.class)
public class IdemEndpointAutoConfiguration {
    @Bean
    @ConditionalOnMissingBean
    IdemEndpoint idemEndpoint(
            Idem idem,
            ObjectProvider<HttpGuard> guard,
            ObjectProvider<Unguarded> unguarded,
            ObjectProvider<SentAgain> webhooks) {
        HttpGuard known = guard.getIfUnique();
        return new IdemEndpoint(
                idem,
                known == null ? Policy.unset() : known.rules().policy(),
                () -> unguarded.stream()
                        .flatMap(source -> source.handlers().get().stream())
                        .toList(),
                (source, key) -> webhooks.stream().anyMatch(each -> each.event().test(source, key))
                        || Poison.of(idem).again(source, key));
    }

    /** A source of handlers that are not guarded. A type of its own, since an application may have suppliers as beans. */
    record Unguarded(Supplier<List<UnguardedHandler>> handlers) {}

    /** Has an event handled again at once, if this application handles its source. */
    record SentAgain(BiPredicate<String, String> event) {}

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
    @ConditionalOnClass(RequestMappingHandlerMapping.class)
    static class Servlets {
        @Bean
        SentAgain idemWebhooksAgain(ObjectProvider<WebhookEndpoints> webhooks) {
            return new SentAgain((source, key) -> webhooks.stream().anyMatch(each -> {
                WebhookEndpoint endpoint = each.find(source);
                return endpoint != null && endpoint.again(key);
            }));
        }

        @Bean
        Unguarded idemUnguardedHandlers(
                ObjectProvider<RequestMappingHandlerMapping> mappings,
                ObjectProvider<FilterRegistrationBean<?>> filters,
                Environment environment) {
            return new Unguarded(new UnguardedHandlers(mappings, filters, environment));
        }
    }
}
