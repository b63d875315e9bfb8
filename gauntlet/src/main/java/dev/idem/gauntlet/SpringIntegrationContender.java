package dev.idem.gauntlet;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.integration.channel.NullChannel;
import org.springframework.integration.handler.advice.IdempotentReceiverInterceptor;
import org.springframework.integration.metadata.SimpleMetadataStore;
import org.springframework.integration.selector.MetadataStoreSelector;
import org.springframework.integration.support.MessageBuilder;
import org.springframework.messaging.Message;
import org.springframework.messaging.MessageHandler;
import org.springframework.messaging.MessagingException;

/**
 * Spring Integration's idempotent receiver: an {@code IdempotentReceiverInterceptor} around the message handler of each
 * operation, with a {@code MetadataStoreSelector} on the key and a discard channel. It claims, and replays nothing.
 */
final class SpringIntegrationContender implements Contender {
    private final Map<String, MessageHandler> receivers = new HashMap<>();

    SpringIntegrationContender() {
        for (String operation : new String[] {"charge", "mail"}) {
            IdempotentReceiverInterceptor once = new IdempotentReceiverInterceptor(new MetadataStoreSelector(
                    message -> (String) message.getHeaders().get("key"), new SimpleMetadataStore()));
            once.setDiscardChannel(new NullChannel());
            ProxyFactory proxy = new ProxyFactory((MessageHandler) SpringIntegrationContender::handle);
            proxy.addAdvice(once);
            receivers.put(operation, (MessageHandler) proxy.getProxy());
        }
    }

    private static void handle(Message<?> message) {
        Slot slot = (Slot) message.getPayload();
        slot.answer = new Answer.Value(slot.work.run());
    }

    @Override
    public String name() {
        return "Spring Integration receiver";
    }

    @Override
    public String store() {
        return "memory";
    }

    @Override
    public String configuration() {
        return "IdempotentReceiverInterceptor(MetadataStoreSelector(key, SimpleMetadataStore)), discard channel";
    }

    @Override
    public Set<Offer> offers() {
        return Set.of();
    }

    @Override
    public Answer call(String operation, String key, Map<String, Object> payload, Work work) {
        Slot slot = new Slot(work);
        try {
            MessageHandler receiver = receivers.get(operation);
            if (receiver == null) {
                throw new IllegalArgumentException("no receiver for " + operation);
            }
            receiver.handleMessage(
                    MessageBuilder.withPayload(slot).setHeader("key", key).build());
            return slot.answer;
        } catch (MessagingException e) {
            return new Answer.Refused(e.getCause() != null ? e.getCause() : e);
        } catch (RuntimeException e) {
            return new Answer.Refused(e);
        }
    }

    @Override
    public void close() {}

    /** Carries the work in and the answer out, because a message handler returns nothing. */
    private static final class Slot {
        private final Work work;
        private Answer answer = new Answer.Dropped();

        Slot(Work work) {
            this.work = work;
        }
    }
}
