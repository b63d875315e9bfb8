package dev.idem.spring.tx;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.idem.Idem;
import dev.idem.Operation;
import dev.idem.Outcome;
import dev.idem.Policy;
import dev.idem.TransactionMode;
import dev.idem.testkit.ChildProcess;
import dev.idem.testkit.Thorough;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.transaction.support.TransactionTemplate;

/** A process that is killed between the effect and the commit. */
@Timeout(120)
class KilledTransactionTest {
    @TempDir
    Path folder;

    /** The process that is killed: a charge, an order, and no commit. */
    static final class Child {
        public static void main(String[] arguments) {
            Place place = new Place(arguments[0], arguments[1]);
            // The ledger comes first: it unpacks SQLite's library once for all processes of this user.
            try (Idem idem = open(place);
                    HikariDataSource pool = place.pool(2);
                    Shop shop = Shop.jdbc(pool)) {
                new TransactionTemplate(shop.manager()).executeWithoutResult(status -> {
                    charge(idem).run(call -> effect(Path.of(arguments[2])));
                    order(idem).run(call -> insert(shop));
                    System.out.println("written");
                    await();
                });
            }
        }

        private static void await() {
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    static Stream<Boolean> stores() {
        return Thorough.first(1, false, true);
    }

    @ParameterizedTest
    @MethodSource("stores")
    void theRowIsGoneWithItsEntryAndTheChargeStays(boolean sqlite) throws Exception {
        Place place = sqlite ? Place.sqlite(folder) : Place.postgresql("killed");
        Path charges = folder.resolve("charges");
        try (ChildProcess child = ChildProcess.start(Child.class, place.jdbc(), place.ledger(), charges.toString())) {
            assertThat(child.line()).isEqualTo("written");
            child.kill();
        }
        assertThat(place.orders()).isZero();

        try (HikariDataSource pool = place.pool(2);
                Shop shop = Shop.jdbc(pool);
                Idem idem = open(place)) {
            new TransactionTemplate(shop.manager()).executeWithoutResult(status -> {
                assertThat(charge(idem).attempt(call -> effect(charges))).isInstanceOf(Outcome.Replayed.class);
                assertThat(order(idem).attempt(call -> insert(shop))).isInstanceOf(Outcome.Done.class);
            });
        }
        assertThat(place.orders()).isEqualTo(1);
        assertThat(charges).hasContent("charged");
    }

    private static Idem open(Place place) {
        return Idem.builder()
                .ledger(place.ledger())
                .transactions(new SpringTransactions())
                .quiet()
                .open();
    }

    private static Operation<String> charge(Idem idem) {
        return idem.operation("charge")
                .key("7")
                .policy(Policy.write().transaction(TransactionMode.INDEPENDENT))
                .returning(String.class);
    }

    private static Operation<String> order(Idem idem) {
        return idem.operation("order")
                .key("7")
                .policy(Policy.write().transaction(TransactionMode.JOIN))
                .returning(String.class);
    }

    private static String effect(Path charges) {
        try {
            Files.writeString(charges, "charged", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return "receipt";
    }

    private static String insert(Shop shop) {
        shop.insert().accept(7);
        return "ordered";
    }
}
