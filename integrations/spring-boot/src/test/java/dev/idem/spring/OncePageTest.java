package dev.idem.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idem.Call;
import dev.idem.agent.tool.Once;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.stereotype.Service;

/** The service on the page about Spring Boot. */
class OncePageTest {
    /** An order. */
    record Order(String id, long cents) {}

    /** The answer of the bank. */
    record Receipt(String id, long cents) {}

    /** The bank. */
    static final class Payments {
        private final List<String> asked = new ArrayList<>();

        Receipt receiptFor(Order order) {
            asked.add(order.id());
            return new Receipt("r-" + asked.size(), order.cents());
        }

        Receipt charge(String customer, long cents, String key) {
            asked.add(key);
            return new Receipt(customer, cents);
        }
    }

    /** An application with the service. */
    @EnableAutoConfiguration
    @Import(Orders.class)
    static class Application {
        @Bean
        Payments payments() {
            return new Payments();
        }
    }

    @Test
    void aMethodOfABeanRunsOnceForItsKey() {
        try (App app = App.start(Application.class, "idem.ledger=memory:")) {
            Orders orders = app.bean(Orders.class);
            for (int time = 0; time < 2; time++) {
                assertThat(orders.place(new Order("o-7", 4200))).isEqualTo(new Receipt("r-1", 4200));
                assertThat(orders.charge("ann", 4200, "try " + time, null)).isEqualTo(new Receipt("ann", 4200));
            }
            assertThat(app.bean(Payments.class).asked).hasSize(2).startsWith("o-7");
        }
    }

    @Service
    static class Orders {
        private final Payments payments;

        Orders(Payments payments) {
            this.payments = payments;
        }

        @Once(key = "#order.id", retention = "30d")
        public Receipt place(Order order) {
            return payments.receiptFor(order);
        }

        /** The call is given by Idem. */
        @Once(
                identity = {"customer", "cents"},
                passesKeyTo = "Stripe")
        public Receipt charge(String customer, long cents, String note, Call call) {
            return payments.charge(customer, cents, call.key());
        }
    }
}
