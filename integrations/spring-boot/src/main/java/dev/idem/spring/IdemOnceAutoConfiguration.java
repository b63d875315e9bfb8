package dev.idem.spring;

import dev.idem.Idem;
import dev.idem.TransactionMode;
import dev.idem.agent.tool.Once;
import java.util.List;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigureOrder;
import org.springframework.context.annotation.Bean;
import org.springframework.core.Ordered;

/** Bean methods with {@link Once} run once. Comes after other configurations, so that its advice is inside theirs. */
@AutoConfiguration(after = IdemAutoConfiguration.class)
@AutoConfigureOrder(Ordered.LOWEST_PRECEDENCE)
public class IdemOnceAutoConfiguration {
    @Bean
    static OnceProcessor idemOnceProcessor(ObjectProvider<Idem> idem, BeanFactory beans) {
        return new OnceProcessor(idem, () -> beans.containsBean("idemOnceHandlers"), once -> !joins(once), false);
    }

    @Bean
    static OnceProcessor idemJoinProcessor(ObjectProvider<Idem> idem, BeanFactory beans) {
        return new OnceProcessor(
                idem, () -> beans.containsBean("idemOnceHandlers"), IdemOnceAutoConfiguration::joins, true);
    }

    /** Whether the entry is part of the transaction that the method may begin itself. */
    private static boolean joins(Once once) {
        return List.of(once.transaction()).contains(TransactionMode.JOIN);
    }
}
