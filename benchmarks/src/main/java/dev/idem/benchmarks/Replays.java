package dev.idem.benchmarks;

import dev.idem.Idem;
import dev.idem.Operation;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/** A duplicate of a complete call, in memory. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(value = 3, jvmArgs = Machine.HEAP)
public class Replays {
    private static final int KEYS = 1024;

    private final String[] keys = new String[KEYS];
    private final ConcurrentHashMap<String, String> map = new ConcurrentHashMap<>();
    private final Idem idem = Machine.inMemory();
    private final Operation<String> kept = idem.operation("charge").returning(String.class);
    private int next;

    /** Completes every key once. */
    @Setup(Level.Trial)
    public void complete() {
        for (int i = 0; i < KEYS; i++) {
            kept.key("req-" + i).run(call -> "ok");
            map.put("req-" + i, "ok");
            // Another text than the one that was stored, as a duplicate's is.
            keys[i] = "req-" + i;
        }
    }

    /** Stops the ledger's threads. */
    @TearDown(Level.Trial)
    public void close() {
        idem.close();
    }

    /** The floor. */
    @Benchmark
    public Object bareMap() {
        return Objects.requireNonNull(map.get(key()));
    }

    /** With the whole declaration spelled out at every call. */
    @Benchmark
    public Object givenKey() {
        return idem.operation("charge")
                .key(key())
                .returning(String.class)
                .run(call -> "ok")
                .value();
    }

    /** With what all calls have in common kept. */
    @Benchmark
    public Object givenKeyOfKeptOperation() {
        return kept.key(key()).run(call -> "ok").value();
    }

    private String key() {
        return keys[next++ & (KEYS - 1)];
    }
}
