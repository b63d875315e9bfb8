package dev.idem.testkit;

import dev.idem.testkit.broken.CheckThenActLedger;
import dev.idem.testkit.broken.PlainStore;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;

/** A ledger that is not linearizable, for Lincheck: claims of one key are enough to show it. */
@Param(name = "attempt", gen = IntGen.class, conf = "1:9")
public class LinearizableCheckThenAct {
    private final LedgerSteps steps = new LedgerSteps(context -> new CheckThenActLedger(new PlainStore(), context));

    @Operation
    public String claim(@Param(name = "attempt") int attempt) {
        return steps.claim(1, attempt, false);
    }
}
