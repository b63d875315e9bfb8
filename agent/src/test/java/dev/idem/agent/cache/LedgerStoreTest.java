package dev.idem.agent.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.idem.Idem;
import dev.idem.spi.Ledger;
import dev.idem.spi.LedgerContext;
import dev.idem.spi.Processes;
import dev.idem.spi.store.MemoryLedger;
import dev.idem.testkit.FaultyLedger;
import dev.idem.testkit.Race;
import dev.idem.testkit.SettableClocks;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Two caches that stand for two processes, which share what they read through a ledger. */
class LedgerStoreTest {
    private static final Duration MINUTE = Duration.ofMinutes(1);

    private final SettableClocks clocks = new SettableClocks();
    private final AtomicInteger loads = new AtomicInteger();
    private FaultyLedger ledger;
    private Ledger handle;
    private Idem idem;
    private Idem other;
    private ToolCache here;
    private ToolCache there;

    @BeforeEach
    void open() {
        LedgerContext context = new LedgerContext(clocks, Processes.unknown());
        ledger = new FaultyLedger(open(context));
        handle = another(ledger, context);
        idem = Idem.builder().ledger(ledger).quiet().open();
        other = Idem.builder().ledger(handle).quiet().open();
        here = cache(idem);
        there = cache(other);
    }

    @AfterEach
    void close() {
        other.close();
        idem.close();
        if (handle != ledger) {
            handle.close();
        }
        ledger.close();
    }

    /** A ledger without entries. */
    Ledger open(LedgerContext context) {
        return new MemoryLedger(context);
    }

    /** The same entries, as another process would open them. */
    Ledger another(Ledger opened, LedgerContext context) {
        return opened;
    }

    @Test
    void whatOneHasReadTheOtherFinds() throws Exception {
        assertThat(read(here, "ann")).isEqualTo("ann 1");
        assertThat(read(there, "ann")).isEqualTo("ann 1");
        assertThat(there.stats()).isEqualTo(new CacheStats(0, 0, 1, 0, 0, 0, 0));
    }

    @Test
    void itIsGoodForItsTime() throws Exception {
        read(here, "ann");
        clocks.advance(MINUTE.minusMillis(1));
        assertThat(read(there, "ann")).isEqualTo("ann 1");
        clocks.advance(Duration.ofMillis(1));
        assertThat(read(there, "ann")).isEqualTo("ann 2");
    }

    @Test
    void whatOneHasClearedTheOtherReadsAnew() throws Exception {
        read(here, "ann");
        here.region("task-1").clear();

        assertThat(read(there, "ann")).isEqualTo("ann 2");
        there.region("task-1").clear();
        there.region("task-1").clear();
        assertThat(read(here, "ann")).isEqualTo("ann 3");
        assertThat(read(cache(idem), "ann")).isEqualTo("ann 3");
    }

    @Test
    void whatWasBeingLoadedElsewhereWhenTheRegionWasClearedIsNotFound() throws Exception {
        here.region("task-1").get("lookup", "ann", MINUTE, String.class, () -> {
            there.region("task-1").clear();
            return "before the write";
        });

        assertThat(read(there, "ann")).isEqualTo("ann 1");
    }

    @Test
    void aRegionThatIsUsedForLongIsClearedForAllOfThem() throws Exception {
        here.region("task-1").clear();
        read(there, "ann");
        clocks.advance(Duration.ofDays(31));
        ToolCache young = cache(idem);
        read(there, "ann");

        young.region("task-1").clear();

        assertThat(read(there, "ann"))
                .as("by one who knows nothing of the clears that were forgotten")
                .isEqualTo("ann 3");
    }

    @Test
    void nullIsAResultAndErrorsAreNotKept() throws Exception {
        assertThatThrownBy(() -> here.region("task-1").get("find", "nobody", MINUTE, String.class, () -> {
                    throw new IOException("down");
                }))
                .isInstanceOf(IOException.class);
        assertThatThrownBy(() -> here.region("task-1").get("find", "nobody", MINUTE, String.class, () -> {
                    throw new AssertionError("broken");
                }))
                .isInstanceOf(AssertionError.class);
        assertThat(here.region("task-1").<String>get("find", "nobody", MINUTE, String.class, () -> null))
                .isNull();
        assertThat(there.region("task-1").<String>get("find", "nobody", MINUTE, String.class, () -> "late"))
                .isNull();
    }

    @Test
    void oneOfManyProcessesLoads() {
        List<Callable<String>> processes = new ArrayList<>();
        for (int i = 0; i < 12; i++) {
            ToolCache process = cache(i % 2 == 0 ? idem : other);
            processes.add(() -> read(process, "ann"));
        }

        assertThat(Race.<String>between(processes)).containsOnly("ann 1");
        assertThat(loads).hasValue(1);
    }

    @Test
    void aLedgerThatIsDownFailsNoRead() throws Exception {
        ledger.fail(FaultyLedger.Point.BEFORE_FIND);
        assertThat(read(here, "ann")).isEqualTo("ann 1");
        assertThat(here.stats().unstored()).isEqualTo(1);
        assertThat(read(here, "ann")).isEqualTo("ann 2");
        assertThat(read(here, "ann")).isEqualTo("ann 2");
    }

    /** The write has been settled: that the reads could not be cleared must neither cost its result nor be forgotten. */
    @Test
    void aRegionThatCouldNotBeClearedIsNotBelievedUntilItIs() throws Exception {
        read(here, "ann");
        ledger.fail(FaultyLedger.Point.BEFORE_FIND, 2);
        here.region("task-1").clear();

        assertThat(read(here, "ann")).isEqualTo("ann 2");
        assertThat(read(here, "ann")).isEqualTo("ann 3");
        assertThat(read(there, "ann")).isEqualTo("ann 3");
    }

    @Test
    void whatCannotBeStoredIsReadEachTime() throws Exception {
        Callable<Object> unwritable = () -> {
            loads.incrementAndGet();
            return new Object();
        };
        here.region("task-1").get("raw", "1", MINUTE, Object.class, unwritable);
        here.region("task-1").get("raw", "1", MINUTE, Object.class, unwritable);

        assertThat(loads).hasValue(2);
        assertThat(here.stats().unstored()).isEqualTo(1);
    }

    @Test
    void nearbyItIsAnsweredWithoutTheLedger() throws Exception {
        ToolCache near = ToolCache.builder()
                .store(LedgerStore.on(idem))
                .near(MINUTE)
                .nanos(() -> 0)
                .build();
        read(near, "ann");
        read(near, "ann");

        assertThat(near.stats().hits()).isEqualTo(1);
    }

    private ToolCache cache(Idem process) {
        return ToolCache.builder()
                .store(LedgerStore.on(process).clock(() -> clocks.now().wall()))
                .near(Duration.ZERO)
                .build();
    }

    private String read(ToolCache process, String key) throws Exception {
        return process.region("task-1")
                .get("lookup", key, MINUTE, String.class, () -> key + " " + loads.incrementAndGet());
    }
}
