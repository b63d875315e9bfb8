package dev.idem.spring;

import dev.idem.spi.AmbientTransactions;
import dev.idem.spring.tx.SpringTransactions;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

/** Makes calls inside transactions of Spring declare what a rollback means for them. */
@AutoConfiguration(before = IdemAutoConfiguration.class)
@ConditionalOnClass(name = "org.springframework.jdbc.datasource.ConnectionHolder")
public class IdemTransactionsAutoConfiguration {
    @Bean
    @ConditionalOnMissingBean
    AmbientTransactions idemTransactions() {
        return new SpringTransactions();
    }
}
