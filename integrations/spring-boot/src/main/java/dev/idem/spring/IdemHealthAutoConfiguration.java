package dev.idem.spring;

import dev.idem.Address;
import dev.idem.Idem;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The component {@code idem} of the application's health: one read of the ledger. */
@AutoConfiguration(after = IdemAutoConfiguration.class)
@ConditionalOnBean(Idem.class)
public class IdemHealthAutoConfiguration {
    private static final String INDICATOR = "idemHealthIndicator";
    private static final Address NOBODY = new Address("idem", "health", "health");
    private static final String DOWN =
            "The ledger can't be read, so actions are refused and requests with a key get 503. "
                    + "The log has the reason; check idem.ledger and the service behind it.";

    /** Reads an entry that does not exist. The exception may name the ledger, so only its type is shown. */
    private static <H> H read(Idem idem, Supplier<H> up, BiFunction<String, String, H> down) {
        try {
            var unused = idem.find(NOBODY);
            return up.get();
        } catch (RuntimeException e) {
            System.getLogger("dev.idem.spring").log(System.Logger.Level.WARNING, "the ledger can't be read", e);
            return down.apply(DOWN, e.getClass().getName());
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(org.springframework.boot.actuate.health.HealthIndicator.class)
    @org.springframework.boot.actuate.autoconfigure.health.ConditionalOnEnabledHealthIndicator("idem")
    static class SpringBoot3 {
        @Bean(INDICATOR)
        @ConditionalOnMissingBean(name = INDICATOR)
        org.springframework.boot.actuate.health.HealthIndicator idemHealthIndicator(Idem idem) {
            return () -> read(
                    idem,
                    () -> org.springframework.boot.actuate.health.Health.up().build(),
                    (message, exception) -> org.springframework.boot.actuate.health.Health.down()
                            .withDetail("message", message)
                            .withDetail("exception", exception)
                            .build());
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(org.springframework.boot.health.contributor.HealthIndicator.class)
    @org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator("idem")
    static class SpringBoot4 {
        @Bean(INDICATOR)
        @ConditionalOnMissingBean(name = INDICATOR)
        org.springframework.boot.health.contributor.HealthIndicator idemHealthIndicator(Idem idem) {
            return () -> read(
                    idem,
                    () -> org.springframework.boot.health.contributor.Health.up()
                            .build(),
                    (message, exception) -> org.springframework.boot.health.contributor.Health.down()
                            .withDetail("message", message)
                            .withDetail("exception", exception)
                            .build());
        }
    }
}
