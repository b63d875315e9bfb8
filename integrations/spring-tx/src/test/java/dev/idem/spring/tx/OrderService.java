package dev.idem.spring.tx;

import dev.idem.Idem;
import dev.idem.Policy;
import dev.idem.TransactionMode;
import dev.idem.spring.tx.Shop.OrderRow;
import jakarta.persistence.EntityManager;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.transaction.support.TransactionTemplate;

/** The examples of the page on transactions. */
record OrderService(
        Idem idem,
        TransactionTemplate transaction,
        DataSource dataSource,
        JdbcTemplate jdbc,
        EntityManager entities,
        Payments payments) {
    /** The service of a bank. */
    interface Payments {
        String charge(long id, String key);
    }

    void order(long id) {
        transaction.executeWithoutResult(status -> idem.operation("order")
                .key("order-" + id)
                .policy(Policy.write().transaction(TransactionMode.JOIN))
                .perform(call -> jdbc.update("INSERT INTO orders (id) VALUES (?)", id)));
    }

    void orderWithJpa(long id) {
        transaction.executeWithoutResult(status -> idem.operation("order")
                .key("order-" + id)
                .policy(Policy.write().transaction(TransactionMode.JOIN))
                .perform(call -> entities.persist(new OrderRow(id))));
    }

    void orderWithPlainJdbc(long id) {
        transaction.executeWithoutResult(status -> {
            try {
                idem.operation("order")
                        .key("order-" + id)
                        .policy(Policy.write().transaction(TransactionMode.JOIN))
                        .perform(call -> insert(id));
            } catch (SQLException e) {
                throw new IllegalStateException(e);
            }
        });
    }

    private void insert(long id) throws SQLException {
        Connection connection = DataSourceUtils.getConnection(dataSource);
        try (PreparedStatement insert = connection.prepareStatement("INSERT INTO orders (id) VALUES (?)")) {
            insert.setLong(1, id);
            insert.executeUpdate();
        } finally {
            DataSourceUtils.releaseConnection(connection, dataSource);
        }
    }

    void charge(long id) {
        transaction.executeWithoutResult(status -> {
            String receipt = idem.operation("charge")
                    .key("order-" + id)
                    .policy(Policy.write().transaction(TransactionMode.INDEPENDENT))
                    .returning(String.class)
                    .run(call -> payments.charge(id, call.key()));
            jdbc.update("UPDATE orders SET receipt = ? WHERE id = ?", receipt, id);
        });
    }
}
