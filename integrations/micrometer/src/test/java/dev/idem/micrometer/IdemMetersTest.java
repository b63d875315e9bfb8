package dev.idem.micrometer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.idem.Address;
import dev.idem.Entry;
import dev.idem.Idem;
import dev.idem.Listener;
import dev.idem.Warning;
import dev.idem.spi.Fence;
import dev.idem.spi.TakeOver;
import dev.idem.spi.Ticket;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class IdemMetersTest {
    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final IdemMeters meters = IdemMeters.of(registry);
    private final AtomicReference<Entry> granted = new AtomicReference<>();
    private final Idem idem = Idem.builder()
            .ledger("memory:")
            .quiet()
            .listener(meters)
            .listener(new Listener() {
                @Override
                public void granted(Entry entry) {
                    granted.set(entry);
                }
            })
            .open();

    @AfterEach
    void close() {
        idem.close();
        registry.close();
    }

    private double counted(String name, String... tags) {
        return registry.get(name).tags(tags).counter().count();
    }

    private Object charge(String note) {
        return idem.operation("charge")
                .scope("order-1")
                .identity(Map.of("customer", "cus_1"))
                .content(Map.of("note", note))
                .run(call -> "ch_1");
    }

    @Test
    void runsReplaysAndWarningsAreCountedByOperation() {
        charge("thanks");
        charge("thanks");
        charge("many thanks");

        assertThat(counted("idem.runs", "operation", "charge")).isEqualTo(1);
        assertThat(registry.get("idem.replays").counters().stream()
                        .mapToDouble(counter -> counter.count())
                        .sum())
                .isEqualTo(2);
        assertThat(counted("idem.warnings", "operation", "charge", "code", "reworded"))
                .isEqualTo(1);
        assertThat(registry.get("idem.settled")
                        .tags("operation", "charge", "state", "complete")
                        .timer()
                        .count())
                .isEqualTo(1);
    }

    @Test
    void refusalsAreCountedByTheirReason() {
        assertThatThrownBy(() -> idem.operation("mail").key("k").run(call -> {
                    throw new IllegalStateException("lost");
                }))
                .hasMessage("lost");
        assertThatThrownBy(() -> idem.operation("mail").key("k").run(call -> "never"))
                .hasMessageContaining("doubt");

        assertThat(counted("idem.refusals", "operation", "mail", "reason", "in_doubt"))
                .isEqualTo(1);
        assertThat(registry.get("idem.settled")
                        .tags("operation", "mail", "state", "in_doubt")
                        .timer()
                        .count())
                .isEqualTo(1);
    }

    @Test
    void whatSeldomHappensHasItsMeterToo() {
        charge("thanks");
        Address address = new Address("order-1", "charge", "k");
        Ticket ticket = new Ticket(address, new Fence(7));

        meters.waited(address, Duration.ofMillis(20));
        meters.tookOver(granted.get(), TakeOver.RERUN);
        meters.lost(ticket);
        meters.unrecorded(ticket, new IllegalStateException("disk full"));
        meters.warned(address, new Warning(Warning.Code.OVERRAN, "late"));

        assertThat(registry.get("idem.waits").timer().totalTime(java.util.concurrent.TimeUnit.MILLISECONDS))
                .isEqualTo(20);
        assertThat(counted("idem.takeovers", "how", "rerun")).isEqualTo(1);
        assertThat(counted("idem.losses")).isEqualTo(1);
        assertThat(counted("idem.unrecorded")).isEqualTo(1);
    }

    @Test
    void everyEventOfTheEngineHasAMeter() throws ReflectiveOperationException {
        for (Method event : Listener.class.getMethods()) {
            assertThat(IdemMeters.class
                            .getMethod(event.getName(), event.getParameterTypes())
                            .getDeclaringClass())
                    .as(event.getName())
                    .isEqualTo(IdemMeters.class);
        }
    }

    @Test
    void theLineOfThePageGivesMeters() {
        String url = "memory:";
        Idem idem = Idem.builder().ledger(url).listener(IdemMeters.of(registry)).open();
        try {
            idem.operation("page").key("k").run(call -> "done");
        } finally {
            idem.close();
        }

        assertThat(counted("idem.runs", "operation", "page")).isEqualTo(1);
    }

    @Test
    void noMeterTellsAScopeOrAKey() {
        charge("thanks");
        charge("thanks");

        List<String> values = registry.getMeters().stream()
                .map(Meter::getId)
                .flatMap(id -> id.getTags().stream())
                .map(tag -> tag.getValue())
                .toList();
        assertThat(values)
                .isNotEmpty()
                .doesNotContain("order-1", granted.get().address().key());
        assertThat(Arrays.toString(values.toArray())).doesNotContain("cus_1");
    }
}
