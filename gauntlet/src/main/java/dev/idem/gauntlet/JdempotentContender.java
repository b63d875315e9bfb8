package dev.idem.gauntlet;

import com.trendyol.jdempotent.core.aspect.IdempotentAspect;
import com.trendyol.jdempotent.core.datasource.InMemoryIdempotentRepository;
import java.util.Map;
import java.util.Set;
import org.springframework.aop.aspectj.annotation.AspectJProxyFactory;

/**
 * Jdempotent with its in-memory repository: its aspect around a bean whose methods are {@code @JdempotentResource}, by
 * Spring AOP as in its documentation (of the Spring version that Spring Integration brings along). The key is derived
 * from the fields of the argument, here the caller's key and the payload, so another payload is another operation.
 */
final class JdempotentContender implements Contender {
    private final JdempotentBean bean;

    JdempotentContender() {
        AspectJProxyFactory factory = new AspectJProxyFactory(new JdempotentBean());
        factory.setProxyTargetClass(true);
        factory.addAspect(new IdempotentAspect(new InMemoryIdempotentRepository()));
        bean = factory.getProxy();
    }

    @Override
    public String name() {
        return "Jdempotent";
    }

    @Override
    public String store() {
        return "memory";
    }

    @Override
    public String configuration() {
        return "new IdempotentAspect(new InMemoryIdempotentRepository()) by Spring AOP;"
                + " @JdempotentResource(cachePrefix = operation), key and payload in one argument";
    }

    @Override
    public Set<Offer> offers() {
        return Set.of(Offer.REPLAY, Offer.KEY_FROM_PAYLOAD);
    }

    @Override
    public Answer call(String operation, String key, Map<String, Object> payload, Work work) {
        JdempotentBean.Request request = new JdempotentBean.Request(key, payload, work);
        try {
            return new Answer.Value(operation.equals("mail") ? bean.mail(request) : bean.charge(request));
        } catch (RuntimeException e) {
            return new Answer.Refused(e);
        }
    }

    @Override
    public Answer callByPayload(String operation, Map<String, Object> payload, Work work) {
        return call(operation, "any", payload, work);
    }

    @Override
    public void close() {}
}
