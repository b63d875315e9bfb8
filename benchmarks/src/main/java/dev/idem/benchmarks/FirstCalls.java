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

/**
 * The first call for a key, in memory, around an action that does nothing. Every shot makes a fixed number of calls on
 * a new ledger, so that what the keys leave behind is bounded.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 30)
@Measurement(iterations = 30)
@Fork(value = 3, jvmArgs = Machine.HEAP)
public class FirstCalls {
    static final int CALLS = 50_000;

    private final String[] keys = new String[CALLS];
    private final TenFields[] identities = new TenFields[CALLS];
    private ConcurrentHashMap<String, String> map = new ConcurrentHashMap<>();
    private Idem idem = Machine.inMemory();
    private Operation<String> kept = idem.operation("charge").returning(String.class);
    private int shot;

    /** Opens an empty ledger and makes keys nobody has hashed yet. */
    @Setup(Level.Iteration)
    public void open() {
        shot++;
        for (int i = 0; i < CALLS; i++) {
            keys[i] = "req-" + shot + "-" + i;
            identities[i] = TenFields.numbered(i);
        }
        map = new ConcurrentHashMap<>();
        idem.close();
        idem = Machine.inMemory();
        kept = idem.operation("charge").returning(String.class);
    }

    /** Stops the ledger's threads. */
    @TearDown(Level.Iteration)
    public void close() {
        idem.close();
    }

    /** The floor: note that it is in progress, act, note the result. */
    @Benchmark
    @OperationsPerInvocation(CALLS)
    public void bareMap(Blackhole hole) {
        for (String key : keys) {
            if (map.putIfAbsent(key, "in progress") == null) {
                map.put(key, "ok");
            }
            hole.consume(key);
        }
    }

    /** A given key and a short text, with the whole declaration spelled out at every call. */
    @Benchmark
    @OperationsPerInvocation(CALLS)
    public void givenKey(Blackhole hole) {
        for (String key : keys) {
            hole.consume(idem.operation("charge")
                    .key(key)
                    .returning(String.class)
                    .run(call -> "ok")
                    .value());
        }
    }

    /** The same with what all calls have in common kept. */
    @Benchmark
    @OperationsPerInvocation(CALLS)
    public void givenKeyOfKeptOperation(Blackhole hole) {
        for (String key : keys) {
            hole.consume(kept.key(key).run(call -> "ok").value());
        }
    }

    /** The key is derived from ten fields. */
    @Benchmark
    @OperationsPerInvocation(CALLS)
    public void derivedKey(Blackhole hole) {
        for (TenFields identity : identities) {
            hole.consume(idem.operation("charge")
                    .identity(identity.asMap())
                    .returning(String.class)
                    .run(call -> "ok")
                    .value());
        }
    }
}
