package dev.idem.postgresql;

import dev.idem.Idem;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.concurrent.CountDownLatch;

/** A child that puts an order into the database, in one transaction with its entry, and stops where it is told to. */
final class OrderMain {
    private OrderMain() {}

    public static void main(String[] arguments) throws Exception {
        String url = arguments[0];
        String orders = arguments[1];
        String point = arguments[2];
        try (Idem idem = Idem.builder().ledger(url).quiet().open()) {
            System.out.println("ready");
            idem.operation("order")
                    .scope("shop")
                    .key("k")
                    .returning(String.class)
                    .inTransaction(Connection.class)
                    .run((call, connection) -> {
                        haltAt("after claim", point);
                        order(connection, orders);
                        haltAt("after the row", point);
                        return "ordered";
                    });
            haltAt("after commit", point);
        }
    }

    static void order(Connection connection, String orders) throws SQLException {
        try (PreparedStatement insert = connection.prepareStatement("INSERT INTO " + orders + " (item) VALUES (?)")) {
            insert.setString(1, "hat");
            insert.executeUpdate();
        }
    }

    private static void haltAt(String here, String point) throws InterruptedException {
        if (here.equals(point)) {
            System.out.println("at " + point);
            new CountDownLatch(1).await();
        }
    }
}
