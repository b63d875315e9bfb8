package dev.idem.benchmarks;

import dev.idem.Idem;
import dev.idem.Operation;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * The first call for a key, in memory, around an action that does nothing. It is sampled in short batches, whose median
 * a busy neighbour does not move; a ledger is given up after a fixed number of calls, so that what the keys leave behind
 * is bounded.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(
        value = 3,
        jvmArgs = {FirstCalls.HEAP, FirstCalls.COMPILE_AT_ONCE})
public class FirstCalls {
    /** Fixed, so that no run measures how the heap grows. */
    static final String HEAP = "-Xms2g";

    /** So that the warm-up ends with compiled code, however little of the processor the compiler gets. */
    static final String COMPILE_AT_ONCE = "-Xbatch";

    static final int BATCH = 100;
    private static final int CALLS_PER_LEDGER = 50_000;

    private final String[] keys = new String[BATCH];
    private ConcurrentHashMap<String, String> map = new ConcurrentHashMap<>();
    private Idem idem = Ledgers.inMemory();
    private Operation<String> kept = idem.operation("charge").returning(String.class);
    private int calls;

    /** Makes keys that were never seen or hashed, and from time to time an empty ledger. */
    @Setup(Level.Invocation)
    public void makeKeys() {
        if (calls >= CALLS_PER_LEDGER) {
            calls = 0;
            map = new ConcurrentHashMap<>();
            idem.close();
            idem = Ledgers.inMemory();
            kept = idem.operation("charge").returning(String.class);
        }
        for (int i = 0; i < BATCH; i++) {
            keys[i] = "req-" + calls++;
        }
    }

    /** Stops the ledger's threads. */
    @TearDown(Level.Trial)
    public void close() {
        idem.close();
    }

    /** How many actions the present ledger has run. */
    long runs() {
        return idem.counts().runs();
    }

    /** The floor: note that it is in progress, act, note the result. */
    @Benchmark
    @OperationsPerInvocation(BATCH)
    public Object bareMap() {
        for (String key : keys) {
            if (map.putIfAbsent(key, "in progress") == null) {
                map.put(key, "ok");
            }
        }
        return map;
    }

    /** A given key and a short text, with the whole declaration spelled out at every call. */
    @Benchmark
    @OperationsPerInvocation(BATCH)
    public Object givenKey() {
        Object last = "";
        for (String key : keys) {
            last = idem.operation("charge").key(key).returning(String.class).run(call -> "ok");
        }
        return last;
    }

    /** The same with what all calls have in common kept. */
    @Benchmark
    @OperationsPerInvocation(BATCH)
    public Object givenKeyOfKeptOperation() {
        Object last = "";
        for (String key : keys) {
            last = kept.key(key).run(call -> "ok");
        }
        return last;
    }
}
