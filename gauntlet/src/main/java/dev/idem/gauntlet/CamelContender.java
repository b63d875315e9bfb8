package dev.idem.gauntlet;

import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.apache.camel.CamelContext;
import org.apache.camel.Exchange;
import org.apache.camel.ProducerTemplate;
import org.apache.camel.builder.RouteBuilder;
import org.apache.camel.impl.DefaultCamelContext;
import org.apache.camel.spi.IdempotentRepository;

/**
 * Apache Camel's idempotent consumer: one route and one repository for each operation,
 * {@code from("direct:charge").idempotentConsumer(header("key"), repository).process(…)}, otherwise defaults (eager,
 * duplicates skipped, the key removed on failure). It claims, but replays nothing: a duplicate is dropped.
 */
final class CamelContender implements Contender {
    private final String store;
    private final CamelContext camel = new DefaultCamelContext();
    private final ProducerTemplate template;
    private final CamelStore keys;

    private CamelContender(String store, CamelStore keys) throws Exception {
        this.store = store;
        this.keys = keys;
        camel.addRoutes(new RouteBuilder() {
            @Override
            public void configure() {
                route("charge", keys.repository().apply("charge"));
                route("mail", keys.repository().apply("mail"));
            }

            private void route(String operation, IdempotentRepository repository) {
                from("direct:" + operation)
                        .errorHandler(noErrorHandler())
                        .idempotentConsumer(header("key"), repository)
                        .process(CamelContender::work);
            }
        });
        template = camel.createProducerTemplate();
        camel.start();
    }

    private static void work(Exchange exchange) {
        Work work = Objects.requireNonNull(exchange.getProperty("work", Work.class));
        exchange.setProperty("answer", new Answer.Value(work.run()));
    }

    static CamelContender in(String store, CamelStore keys) throws Exception {
        return new CamelContender(store, keys);
    }

    @Override
    public String name() {
        return "Camel idempotent consumer";
    }

    @Override
    public String store() {
        return store;
    }

    @Override
    public String configuration() {
        return "from(direct).idempotentConsumer(header(key), repository).process(…), a repository for each operation: "
                + keys.words();
    }

    @Override
    public Set<Offer> offers() {
        return keys.offers();
    }

    @Override
    public Answer call(String operation, String key, Map<String, Object> payload, Work work) {
        Exchange exchange = template.send("direct:" + operation, sent -> {
            sent.getMessage().setHeader("key", key);
            sent.getMessage().setBody(payload);
            sent.setProperty("work", work);
        });
        Exception thrown = exchange.getException();
        if (thrown != null) {
            return new Answer.Refused(thrown);
        }
        Answer answer = exchange.getProperty("answer", Answer.class);
        return answer != null ? answer : new Answer.Dropped();
    }

    @Override
    public void close() {
        template.stop();
        camel.stop();
        keys.closing().run();
    }
}
