package dev.idem.benchmarks;

import dev.idem.Idem;
import dev.idem.Operation;
import dev.idem.lab.TempFolder;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * Sixteen calls with one key at once. The action takes a while, so that the others wait for it. Measures how long after
 * its end each of them has the answer.
 */
final class Duplicates implements Scenario {
    private static final int THREADS = 16;
    private static final long ACTION = TimeUnit.MILLISECONDS.toNanos(1);

    private final String ledger;
    private final Opening opening;

    Duplicates(String ledger, Opening opening) {
        this.ledger = ledger;
        this.opening = opening;
    }

    /** Opens the ledger in a folder that is removed afterwards. */
    interface Opening {
        Idem open(TempFolder folder);
    }

    @Override
    public String name() {
        return ledger + ", 16 duplicates";
    }

    @Override
    public List<Row> run(Effort effort) throws Exception {
        int rounds = effort.rounds() * 10;
        double[] medians = new double[rounds];
        double[] slowest = new double[rounds];
        int most = 0;
        try (TempFolder folder = new TempFolder(effort.folder());
                Idem idem = opening.open(folder);
                Crowd crowd = new Crowd(THREADS)) {
            Operation<String> charge = idem.operation("charge").returning(String.class);
            for (int round = -effort.warmUpRounds(); round < rounds; round++) {
                Round one = new Round(charge.key("req-" + round));
                crowd.run(1, one);
                most = Math.max(most, one.runs.get());
                if (round >= 0) {
                    medians[round] = one.after(0.5);
                    slowest[round] = one.after(1);
                }
            }
        }
        return List.of(
                new Row(
                        ledger + ", 16 duplicates at once: runs of the action",
                        Integer.toString(most),
                        "",
                        rounds + " keys",
                        "1",
                        Row.Verdict.of(most == 1)),
                Row.withoutPromise(
                        ledger + ", 16 duplicates at once: answered after the action's end",
                        Units.time(Units.quantile(medians, 0.5)),
                        "",
                        "the last of them: " + Units.time(Units.quantile(slowest, 0.5))));
    }

    private static final class Round implements Crowd.Call {
        final AtomicInteger runs = new AtomicInteger();
        private final AtomicLong ended = new AtomicLong();
        private final long[] answered = new long[THREADS];
        private final Operation<String> operation;

        Round(Operation<String> operation) {
            this.operation = operation;
        }

        @Override
        public void make(int thread, int number) {
            String value = operation.run(call -> act());
            answered[thread] = System.nanoTime();
            if (!value.equals("ok")) {
                throw new IllegalStateException("a duplicate got '" + value + "'");
            }
        }

        private String act() {
            runs.incrementAndGet();
            LockSupport.parkNanos(ACTION);
            ended.set(System.nanoTime());
            return "ok";
        }

        double after(double part) {
            double[] nanos = new double[THREADS];
            for (int i = 0; i < THREADS; i++) {
                nanos[i] = answered[i] - ended.get();
            }
            return Units.quantile(nanos, part);
        }
    }
}
