package dev.idem.spring.tx;

import jakarta.persistence.Entity;
import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import java.util.Map;
import java.util.Objects;
import java.util.function.LongConsumer;
import javax.sql.DataSource;
import org.hibernate.dialect.DatabaseVersion;
import org.hibernate.dialect.Dialect;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.orm.jpa.JpaTransactionManager;
import org.springframework.orm.jpa.LocalContainerEntityManagerFactoryBean;
import org.springframework.orm.jpa.SharedEntityManagerCreator;
import org.springframework.orm.jpa.vendor.HibernateJpaVendorAdapter;
import org.springframework.transaction.PlatformTransactionManager;

/**
 * An application's way to its database.
 *
 * @param insert writes the row of an order
 */
record Shop(PlatformTransactionManager manager, LongConsumer insert, Runnable closing) implements AutoCloseable {
    static Shop jdbc(DataSource source) {
        JdbcTemplate template = new JdbcTemplate(source);
        return new Shop(
                new DataSourceTransactionManager(source),
                id -> template.update("INSERT INTO orders (id) VALUES (?)", id),
                () -> {});
    }

    /** The row is written when the transaction is committed, and not before. */
    static Shop jpa(DataSource source, boolean plainDialect) {
        LocalContainerEntityManagerFactoryBean factory = new LocalContainerEntityManagerFactoryBean();
        factory.setDataSource(source);
        factory.setPackagesToScan("dev.idem.spring.tx");
        factory.setJpaVendorAdapter(new HibernateJpaVendorAdapter());
        if (plainDialect) {
            factory.setJpaPropertyMap(Map.of("hibernate.dialect", PlainDialect.class.getName()));
        }
        factory.afterPropertiesSet();
        EntityManagerFactory made = Objects.requireNonNull(factory.getObject());
        EntityManager entities = SharedEntityManagerCreator.createSharedEntityManager(made);
        return new Shop(new JpaTransactionManager(made), id -> entities.persist(new OrderRow(id)), factory::destroy);
    }

    @Override
    public void close() {
        closing.run();
    }

    /** A row of the table. */
    @Entity
    @Table(name = "orders")
    static class OrderRow {
        @Id
        private long id;

        OrderRow() {}

        OrderRow(long id) {
            this.id = id;
        }

        long id() {
            return id;
        }
    }

    /** Hibernate knows no SQLite by itself. */
    public static final class PlainDialect extends Dialect {
        public PlainDialect() {
            super(DatabaseVersion.make(3));
        }
    }
}
