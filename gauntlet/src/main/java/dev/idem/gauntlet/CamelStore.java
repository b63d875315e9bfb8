package dev.idem.gauntlet;

import com.zaxxer.hikari.HikariDataSource;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.Set;
import java.util.function.Function;
import org.apache.camel.component.caffeine.processor.idempotent.CaffeineIdempotentRepository;
import org.apache.camel.component.redis.processor.idempotent.SpringRedisIdempotentRepository;
import org.apache.camel.component.redis.processor.idempotent.SpringRedisStringIdempotentRepository;
import org.apache.camel.processor.idempotent.jdbc.JdbcMessageIdRepository;
import org.apache.camel.spi.IdempotentRepository;
import org.apache.camel.support.processor.idempotent.MemoryIdempotentRepository;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.core.StringRedisTemplate;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteDataSource;

/**
 * The store of a Camel route's keys.
 *
 * @param repository of an operation, by its name
 * @param words the description of its set-up
 */
record CamelStore(
        Function<String, IdempotentRepository> repository,
        String words,
        Set<Contender.Offer> offers,
        Runnable closing) {
    static CamelStore memory() {
        return new CamelStore(
                name -> MemoryIdempotentRepository.memoryIdempotentRepository(100_000),
                "memoryIdempotentRepository(100000)",
                Set.of(),
                () -> {});
    }

    static CamelStore caffeine() {
        return new CamelStore(
                CaffeineIdempotentRepository::new, "CaffeineIdempotentRepository(name)", Set.of(), () -> {});
    }

    static CamelStore sqlite(Path folder) {
        SQLiteConfig config = new SQLiteConfig();
        config.setJournalMode(SQLiteConfig.JournalMode.WAL);
        config.setSynchronous(SQLiteConfig.SynchronousMode.FULL);
        config.setBusyTimeout(10_000);
        // The repository reads and then writes in one transaction, which SQLite refuses to concurrent deferred ones.
        config.setTransactionMode(SQLiteConfig.TransactionMode.IMMEDIATE);
        SQLiteDataSource file = new SQLiteDataSource(config);
        file.setUrl("jdbc:sqlite:" + folder.resolve("camel.db"));
        HikariDataSource pool = new HikariDataSource();
        pool.setDataSource(file);
        pool.setMaximumPoolSize(4);
        return jdbc(pool, "4 pooled connections, WAL, synchronous FULL, immediate transactions");
    }

    static CamelStore postgresql(int port, Path folder) throws SQLException {
        return jdbc(Postgresql.pool(port, Postgresql.schema(folder)), "8 pooled connections");
    }

    private static CamelStore jdbc(HikariDataSource pool, String words) {
        return new CamelStore(
                name -> new JdbcMessageIdRepository(pool, name),
                "JdbcMessageIdRepository, " + words,
                Set.of(Contender.Offer.DURABLE),
                pool::close);
    }

    static CamelStore redisSet(int port, Path folder) {
        LettuceConnectionFactory connections = connections(port);
        StringRedisTemplate template = new StringRedisTemplate(connections);
        return new CamelStore(
                name -> new SpringRedisIdempotentRepository(template, Postgresql.schema(folder) + name),
                "SpringRedisIdempotentRepository(StringRedisTemplate, name), which keeps keys in a set; Lettuce",
                Set.of(Contender.Offer.DURABLE),
                connections::destroy);
    }

    static CamelStore redisString(int port, Path folder) {
        LettuceConnectionFactory connections = connections(port);
        StringRedisTemplate template = new StringRedisTemplate(connections);
        return new CamelStore(
                name -> new SpringRedisStringIdempotentRepository(template, Postgresql.schema(folder) + name),
                "SpringRedisStringIdempotentRepository(StringRedisTemplate, name), a string for each key; Lettuce",
                Set.of(Contender.Offer.DURABLE),
                connections::destroy);
    }

    private static LettuceConnectionFactory connections(int port) {
        LettuceConnectionFactory connections = new LettuceConnectionFactory("127.0.0.1", port);
        connections.afterPropertiesSet();
        connections.start();
        return connections;
    }
}
