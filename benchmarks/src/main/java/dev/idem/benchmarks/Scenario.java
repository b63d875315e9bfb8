package dev.idem.benchmarks;

import java.util.List;

/** Something that is measured beside its floor. */
interface Scenario {
    String name();

    List<Row> run(Effort effort) throws Exception;
}
