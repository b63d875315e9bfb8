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
import org.openjdk.jmh.infra.Blackhole;

/** A duplicate of a complete call, in memory, sampled as {@link FirstCalls} are. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(
        value = 3,
        jvmArgs = {FirstCalls.HEAP, FirstCalls.COMPILE_AT_ONCE})
public class Replays {
    static final int KEYS = 256;

    private final String[] keys = new String[KEYS];
    private final ConcurrentHashMap<String, String> map = new ConcurrentHashMap<>();
    private final Idem idem = Ledgers.inMemory();
    private final Operation<String> kept = idem.operation("charge").returning(String.class);

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

    /** How many actions the present ledger has run. */
    long runs() {
        return idem.counts().runs();
    }

    /** The floor. */
    @Benchmark
    @OperationsPerInvocation(KEYS)
    public void bareMap(Blackhole hole) {
        for (String key : keys) {
            hole.consume(map.get(key));
        }
    }

    /** With the whole declaration spelled out at every call. */
    @Benchmark
    @OperationsPerInvocation(KEYS)
    public void givenKey(Blackhole hole) {
        for (String key : keys) {
            hole.consume(
                    idem.operation("charge").key(key).returning(String.class).run(call -> "ok"));
        }
    }

    /** With what all calls have in common kept. */
    @Benchmark
    @OperationsPerInvocation(KEYS)
    public void givenKeyOfKeptOperation(Blackhole hole) {
        for (String key : keys) {
            hole.consume(kept.key(key).run(call -> "ok"));
        }
    }
}
