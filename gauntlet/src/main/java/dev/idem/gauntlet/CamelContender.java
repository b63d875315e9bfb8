package dev.idem.gauntlet;

import com.zaxxer.hikari.HikariDataSource;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.apache.camel.CamelContext;
import org.apache.camel.Exchange;
import org.apache.camel.ProducerTemplate;
import org.apache.camel.builder.RouteBuilder;
import org.apache.camel.component.caffeine.processor.idempotent.CaffeineIdempotentRepository;
import org.apache.camel.impl.DefaultCamelContext;
import org.apache.camel.processor.idempotent.jdbc.JdbcMessageIdRepository;
import org.apache.camel.spi.IdempotentRepository;
import org.apache.camel.support.processor.idempotent.MemoryIdempotentRepository;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteDataSource;

/**
 * Apache Camel's idempotent consumer: one route and one repository for each operation,
 * {@code from("direct:charge").idempotentConsumer(header("key"), repository).process(…)}, all else by default (eager,
 * duplicates skipped, the key removed on failure). It claims, and replays nothing: a duplicate is dropped.
 */
final class CamelContender implements Contender {
    private final String store;
    private final CamelContext camel = new DefaultCamelContext();
    private final ProducerTemplate template;

    private final Runnable closing;

    private CamelContender(String store, IdempotentRepository charges, IdempotentRepository mails, Runnable closing)
            throws Exception {
        this.store = store;
        this.closing = closing;
        camel.addRoutes(new RouteBuilder() {
            @Override
            public void configure() {
                route("charge", charges);
                route("mail", mails);
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

    static CamelContender inMemory() throws Exception {
        return new CamelContender(
                "memory",
                MemoryIdempotentRepository.memoryIdempotentRepository(100_000),
                MemoryIdempotentRepository.memoryIdempotentRepository(100_000),
                () -> {});
    }

    static CamelContender inCaffeine() throws Exception {
        return new CamelContender(
                "Caffeine",
                new CaffeineIdempotentRepository("charge"),
                new CaffeineIdempotentRepository("mail"),
                () -> {});
    }

    static CamelContender inSqlite(Path folder) throws Exception {
        SQLiteConfig config = new SQLiteConfig();
        config.setJournalMode(SQLiteConfig.JournalMode.WAL);
        config.setSynchronous(SQLiteConfig.SynchronousMode.FULL);
        config.setBusyTimeout(10_000);
        // The repository reads and then writes in one transaction, which SQLite refuses to concurrent deferred ones.
        config.setTransactionMode(SQLiteConfig.TransactionMode.IMMEDIATE);
        HikariDataSource pool = new HikariDataSource();
        pool.setDataSource(new SQLiteDataSource(config));
        ((SQLiteDataSource) pool.getDataSource()).setUrl("jdbc:sqlite:" + folder.resolve("camel.db"));
        pool.setMaximumPoolSize(4);
        return new CamelContender(
                "SQLite",
                new JdbcMessageIdRepository(pool, "charge"),
                new JdbcMessageIdRepository(pool, "mail"),
                pool::close);
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
        return "from(direct).idempotentConsumer(header(key), repository).process(…), a repository for each operation"
                + (store.equals("SQLite")
                        ? "; JdbcMessageIdRepository, 4 pooled connections, WAL, synchronous FULL, immediate transactions"
                        : "");
    }

    @Override
    public Set<Offer> offers() {
        return store.equals("SQLite") ? Set.of(Offer.DURABLE) : Set.of();
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
        closing.run();
    }
}
