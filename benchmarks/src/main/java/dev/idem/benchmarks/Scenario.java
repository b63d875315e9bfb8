package dev.idem.benchmarks;

import java.util.List;

/** A measurement beside its floor. */
interface Scenario {
    String name();

    List<Row> run(Effort effort) throws Exception;
}
