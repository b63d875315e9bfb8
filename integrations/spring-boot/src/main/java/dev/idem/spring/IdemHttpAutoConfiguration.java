package dev.idem.spring;

import dev.idem.Idem;
import dev.idem.http.HttpGuard;
import dev.idem.http.HttpRules;
import dev.idem.http.servlet.IdemFilter;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.FilterRegistration;
import java.util.EnumSet;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.boot.web.servlet.support.ErrorPageFilter;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.Environment;
import org.springframework.web.servlet.DispatcherServlet;
import org.springframework.web.servlet.HandlerMapping;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping;

/** Runs each request with an idempotency key once, in a servlet application. */
@AutoConfiguration(after = IdemAutoConfiguration.class)
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
@ConditionalOnClass(DispatcherServlet.class)
@ConditionalOnProperty(name = "idem.http.enabled", havingValue = "true", matchIfMissing = true)
public class IdemHttpAutoConfiguration {
    /** Behind the filters of Spring Security, which have the order -100: keys belong to the authenticated caller. */
    private static final int AFTER_AUTHENTICATION = -90;

    @Bean
    @ConditionalOnMissingBean({HttpRules.class, HttpGuard.class})
    HttpRules idemHttpRules(IdemProperties properties, ObjectProvider<CallerPart> callerParts) {
        HttpRules rules = properties.http().rules();
        for (CallerPart part : callerParts.orderedStream().toList()) {
            rules = rules.caller(part);
        }
        return rules;
    }

    @Bean
    @ConditionalOnMissingBean
    HttpGuard idemHttpGuard(Idem idem, HttpRules rules) {
        return new HttpGuard(idem, rules);
    }

    @Bean
    RouteFinder idemRouteFinder(ObjectProvider<HandlerMapping> mappings) {
        return new RouteFinder(mappings);
    }

    @Bean
    OnceHandlers idemOnceHandlers(
            HttpGuard guard,
            RouteFinder routes,
            ObjectProvider<RequestMappingHandlerMapping> mappings,
            ObjectProvider<FilterRegistrationBean<?>> filters,
            ObjectProvider<WebhookEndpoints> webhooks,
            IdemProperties properties,
            Environment environment) {
        UnguardedHandlers unguarded = new UnguardedHandlers(mappings, filters, environment);
        return new OnceHandlers(
                guard.rules(),
                routes,
                mappings,
                unguarded,
                webhooks,
                properties.console().enabled());
    }

    @Bean
    @ConditionalOnMissingBean(name = "idemFilter")
    FilterRegistrationBean<IdemFilter> idemFilter(
            HttpGuard guard,
            IdemProperties properties,
            RouteFinder routes,
            OnceHandlers handlers,
            ObjectProvider<ErrorPageFilter> forwarding) {
        IdemFilter filter = new IdemFilter(guard).route(routes).rules(handlers);
        // In a WAR, Spring Boot forwards to its error page, past this filter, instead of the container.
        boolean forwards = forwarding.getIfAvailable() != null;
        FilterRegistrationBean<IdemFilter> registration = new Registration(forwards ? filter : filter.errorPages());
        registration.setName("idemFilter");
        registration.setUrlPatterns(properties.http().paths());
        registration.setDispatcherTypes(EnumSet.of(DispatcherType.REQUEST, DispatcherType.ASYNC));
        registration.setAsyncSupported(true);
        registration.setOrder(AFTER_AUTHENTICATION);
        return registration;
    }

    @Bean
    static HandlerTransactions idemHandlerTransactions() {
        return new HandlerTransactions();
    }

    @Bean
    @ConditionalOnClass(name = "org.springframework.security.access.AccessDeniedException")
    static Denial.Processor idemDenials() {
        return new Denial.Processor();
    }

    @Bean
    @ConditionalOnClass(name = "org.springframework.security.access.AccessDeniedException")
    FilterRegistrationBean<Denial.Watch> idemDenialFilter() {
        FilterRegistrationBean<Denial.Watch> registration = new FilterRegistrationBean<>(new Denial.Watch());
        registration.setName("idemDenialFilter");
        registration.setAsyncSupported(true);
        registration.setOrder(AFTER_AUTHENTICATION + 1);
        return registration;
    }

    /** The error page of a guarded request has a path of its own. */
    private static final class Registration extends FilterRegistrationBean<IdemFilter> {
        Registration(IdemFilter filter) {
            super(filter);
        }

        @Override
        protected void configure(FilterRegistration.Dynamic registration) {
            super.configure(registration);
            registration.addMappingForUrlPatterns(EnumSet.of(DispatcherType.ERROR), false, "/*");
        }
    }
}
