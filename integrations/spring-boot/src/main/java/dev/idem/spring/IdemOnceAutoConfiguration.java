package dev.idem.spring;

import dev.idem.Idem;
import dev.idem.agent.tool.Once;
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
        return new OnceProcessor(idem, () -> beans.containsBean("idemOnceHandlers"), once -> true, false);
    }
}
