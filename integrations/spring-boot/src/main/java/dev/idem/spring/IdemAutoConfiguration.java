package dev.idem.spring;

import dev.idem.Idem;
import dev.idem.IdemBuilder;
import dev.idem.LedgerException;
import dev.idem.Listener;
import dev.idem.spi.AmbientTransactions;
import javax.sql.DataSource;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.ConfigurableEnvironment;

/**
 * Opens {@link Idem} on the ledger of {@code idem.ledger}, with the transactions of Spring and the application's {@link Listener} beans, unless the
 * application has an {@code Idem} bean of its own.
 */
@AutoConfiguration
@EnableConfigurationProperties(IdemProperties.class)
public class IdemAutoConfiguration {
    @Bean
    static UnknownProperties idemUnknownProperties(ConfigurableEnvironment environment) {
        return new UnknownProperties(environment);
    }

    /** Spring stops the web server, and waits for running requests, before it closes beans. */
    @Bean(destroyMethod = "close")
    @ConditionalOnMissingBean
    Idem idem(
            IdemProperties properties,
            ObjectProvider<Listener> listeners,
            ObjectProvider<AmbientTransactions> transactions,
            ObjectProvider<DataSource> sources) {
        try {
            String ledger = properties.ledger();
            IdemBuilder builder = Idem.builder()
                    .ledger(
                            ledger.equals(DataSourceLedger.NAME)
                                    ? DataSourceLedger.urlFor(sources.getIfUnique())
                                    : ledger);
            transactions.ifAvailable(builder::transactions);
            listeners.orderedStream().forEach(builder::listener);
            return builder.open();
        } catch (IllegalArgumentException | LedgerException e) {
            throw new LedgerNotOpenedException(e);
        }
    }
}
