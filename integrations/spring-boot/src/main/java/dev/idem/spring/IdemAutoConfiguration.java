package dev.idem.spring;

import dev.idem.Idem;
import dev.idem.LedgerException;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;

/** Opens {@link Idem} on the ledger of {@code idem.ledger}, unless the application has an {@code Idem} bean of its own. */
@AutoConfiguration
@EnableConfigurationProperties(IdemProperties.class)
public class IdemAutoConfiguration {
    /** Spring stops the web server, and waits for running requests, before it closes beans. */
    @Bean(destroyMethod = "close")
    @ConditionalOnMissingBean
    Idem idem(IdemProperties properties) {
        try {
            return Idem.open(properties.ledger());
        } catch (IllegalArgumentException | LedgerException e) {
            throw new LedgerNotOpenedException(e);
        }
    }
}
