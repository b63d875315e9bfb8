package dev.idem.agent.session;

import dev.idem.Idem;
import dev.idem.agent.tool.Tool;
import dev.idem.spi.Ledger;
import dev.idem.spi.browse.Browsable;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** A session on a ledger that outlives it, and a tool that counts its runs. */
abstract class SessionCase {
    record Receipt(String id, long cents) {}

    final AtomicInteger runs = new AtomicInteger();
    final List<String> keys = new ArrayList<>();
    final Tool charge = Tool.named("charge")
            .identity("customer", "cents")
            .labels("customer")
            .run((call, in) -> {
                keys.add(call.key());
                return new Receipt("ch_" + runs.incrementAndGet(), 4200);
            });
    Ledger ledger;
    Idem idem;

    /** A ledger on the same entries each time, as another process would open it. */
    abstract Ledger open();

    /** Closes it, unless that would be the end of its entries. */
    abstract void close(Ledger opened);

    @BeforeEach
    void openIdem() {
        ledger = open();
        idem = Idem.builder().ledger(ledger).quiet().open();
    }

    @AfterEach
    void closeIdem() {
        idem.close();
        close(ledger);
    }

    long entries() {
        return ledger.as(Browsable.class).orElseThrow().stats().entries().values().stream()
                .mapToLong(Long::longValue)
                .sum();
    }
}
