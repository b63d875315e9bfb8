package dev.idem.benchmarks;

import java.util.Arrays;
import java.util.function.Function;

/**
 * Measures two sides in turns, so that other load on the machine affects both. Each turn returns one value: nanoseconds
 * a call, or calls a second.
 */
final class Turns {
    private final double[] measured;
    private final double[] floor;

    private Turns(int rounds) {
        this.measured = new double[rounds];
        this.floor = new double[rounds];
    }

    /** Gives one value for the round. */
    interface Turn {
        double take(int round) throws Exception;
    }

    static Turns take(Effort effort, Turn measured, Turn floor) throws Exception {
        int warmUp = effort.warmUpRounds();
        Turns turns = new Turns(effort.rounds());
        for (int round = 0; round < warmUp + effort.rounds(); round++) {
            double one = measured.take(round);
            double other = floor.take(round);
            if (round >= warmUp) {
                turns.measured[round - warmUp] = one;
                turns.floor[round - warmUp] = other;
            }
        }
        return turns;
    }

    /** Makes one of the calls of a turn. */
    interface NumberedCall {
        void make(int number) throws Exception;
    }

    /** Nanoseconds a call, over the calls of a turn. */
    static double perCall(int calls, NumberedCall call) throws Exception {
        long start = System.nanoTime();
        for (int i = 0; i < calls; i++) {
            call.make(i);
        }
        return (double) (System.nanoTime() - start) / calls;
    }

    double[] measured() {
        return measured.clone();
    }

    double[] floor() {
        return floor.clone();
    }

    double[] ratios() {
        double[] ratios = new double[measured.length];
        for (int i = 0; i < ratios.length; i++) {
            ratios[i] = measured[i] / floor[i];
        }
        return ratios;
    }

    double[] differences() {
        double[] differences = new double[measured.length];
        for (int i = 0; i < differences.length; i++) {
            differences[i] = measured[i] - floor[i];
        }
        return differences;
    }

    /** The ratio of the totals, which includes rare slow turns such as SQLite's checkpoints. */
    double totalRatio() {
        return Arrays.stream(measured).sum() / Arrays.stream(floor).sum();
    }

    double median(Function<Turns, double[]> which) {
        return Units.quantile(which.apply(this), 0.5);
    }
}
