package dev.idem.spring;

import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.annotation.Bean;

/** Stops a WebFlux application that asks for guarded requests: nothing would guard them. */
@AutoConfiguration
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
@ConditionalOnProperty(name = "idem.http.enabled", havingValue = "true")
public class IdemReactiveAutoConfiguration {
    @Bean
    static BeanFactoryPostProcessor idemHttpNeedsServlets() {
        return beans -> {
            throw new IllegalStateException("idem.http.enabled is true, and this is a WebFlux application, in which"
                    + " requests are not guarded. Use Spring MVC (spring-boot-starter-web), or remove the property and call"
                    + " idem.operation(...) in the handlers");
        };
    }
}
