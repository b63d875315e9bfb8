package dev.idem.spring;

import dev.idem.Idem;
import dev.idem.server.notice.Channel;
import dev.idem.server.notice.Notices;
import java.util.ArrayList;
import java.util.List;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.AnyNestedCondition;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;

/** Tells the receivers of {@code idem.notices} about calls that need a person. */
@AutoConfiguration(after = IdemAutoConfiguration.class)
@Conditional(IdemNoticesAutoConfiguration.HasReceiver.class)
public class IdemNoticesAutoConfiguration {
    @Bean(destroyMethod = "close")
    @ConditionalOnMissingBean
    Notices idemNotices(Idem idem, IdemProperties properties) {
        IdemProperties.Notices given = properties.notices();
        List<Channel> channels = new ArrayList<>();
        if (given.webhookUrl() != null) {
            if (given.webhookSecret() == null) {
                throw new IllegalStateException(
                        "idem.notices.webhook-url needs idem.notices.webhook-secret, which signs what the webhook gets");
            }
            channels.add(Channel.webhook(given.webhookUrl(), given.webhookSecret()));
        }
        if (given.slackUrl() != null) {
            channels.add(Channel.slack(given.slackUrl()));
        }
        if (!given.command().isEmpty()) {
            channels.add(Channel.command(given.command()));
        }
        return Notices.start(idem.ledger(), channels, given.link(), given.every());
    }

    /** One of the receivers is set. */
    static final class HasReceiver extends AnyNestedCondition {
        HasReceiver() {
            super(ConfigurationPhase.REGISTER_BEAN);
        }

        @ConditionalOnProperty("idem.notices.webhook-url")
        static class Webhook {}

        @ConditionalOnProperty("idem.notices.slack-url")
        static class Slack {}

        @ConditionalOnProperty("idem.notices.command")
        static class Command {}

        @ConditionalOnProperty("idem.notices.command[0]")
        static class CommandLine {}
    }
}
