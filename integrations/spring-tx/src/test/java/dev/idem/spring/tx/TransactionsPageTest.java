package dev.idem.spring.tx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import dev.idem.Idem;
import jakarta.persistence.EntityManagerFactory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.orm.jpa.JpaTransactionManager;
import org.springframework.orm.jpa.SharedEntityManagerCreator;
import org.springframework.transaction.support.TransactionTemplate;

/** The code on the page about transactions is the code that runs here. */
class TransactionsPageTest {
    private static final Path PAGE = Path.of("..", "..", "docs", "transactions.md");
    private static final Path SERVICE = Path.of("src/test/java/dev/idem/spring/tx/OrderService.java");

    @TempDir
    Path folder;

    @Test
    void theMethodsOnThePageAreThoseOfTheService() throws IOException {
        String service = words(Files.readString(SERVICE));
        List<String> methods = new ArrayList<>();
        String[] parts = Files.readString(PAGE).split("```");
        for (int i = 1; i < parts.length; i += 2) {
            if (parts[i].contains("void ")) {
                methods.add(words(parts[i]));
            }
        }
        assertThat(methods).hasSize(4).allSatisfy(method -> assertThat(service).contains(method));
    }

    @Test
    void theMethodsOnThePageDoWhatItSays() throws Exception {
        Place place = Place.sqlite(folder);
        List<String> charges = new ArrayList<>();
        try (HikariDataSource pool = place.pool(1);
                Shop shop = Shop.jpa(pool, true);
                Idem idem = Idem.builder()
                        .ledger("sqlite:" + folder.resolve("shop.db"))
                        .transactions(new SpringTransactions())
                        .quiet()
                        .open()) {
            JpaTransactionManager manager = (JpaTransactionManager) shop.manager();
            EntityManagerFactory factory = manager.getEntityManagerFactory();
            OrderService orders = new OrderService(
                    idem,
                    new TransactionTemplate(manager),
                    pool,
                    new JdbcTemplate(pool),
                    SharedEntityManagerCreator.createSharedEntityManager(factory),
                    (id, key) -> {
                        charges.add(key);
                        return "receipt-" + charges.size();
                    });
            for (int time = 0; time < 2; time++) {
                orders.order(1);
                orders.orderWithJpa(2);
                orders.orderWithPlainJdbc(3);
            }
            assertThat(place.orders()).isEqualTo(3);

            assertThatThrownBy(() -> orders.charge(1)).hasMessageContaining("receipt");
            orders.jdbc().execute("ALTER TABLE orders ADD COLUMN receipt TEXT");
            orders.charge(1);
            assertThat(charges).hasSize(1);
            assertThat(orders.jdbc().queryForObject("SELECT receipt FROM orders WHERE id = 1", String.class))
                    .isEqualTo("receipt-1");
        }
    }

    private static String words(String code) {
        return code.replaceAll("\\s+", " ").strip();
    }
}
