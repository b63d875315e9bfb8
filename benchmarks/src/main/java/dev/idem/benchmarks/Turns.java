package dev.idem.benchmarks;

import java.util.function.Function;

/**
 * Two things that are compared, measured in turns, so that whatever else the machine does meets both.
 *
 * @param measured one value a round: nanoseconds a call, or calls a second
 * @param floor likewise
 */
record Turns(double[] measured, double[] floor) {
    /** Gives one value for the round. */
    interface Turn {
        double take(int round) throws Exception;
    }

    static Turns take(Effort effort, Turn measured, Turn floor) throws Exception {
        int warmUp = effort.warmUpRounds();
        Turns turns = new Turns(new double[effort.rounds()], new double[effort.rounds()]);
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

    double[] ratios() {
        double[] ratios = new double[measured.length];
        for (int i = 0; i < ratios.length; i++) {
            ratios[i] = measured[i] / floor[i];
        }
        return ratios;
    }

    double medianRatio() {
        return median(Turns::ratios);
    }

    double median(Function<Turns, double[]> which) {
        return Units.quantile(which.apply(this), 0.5);
    }
}
