package dev.idem.testkit;

import dev.idem.spi.store.MemoryLedger;
import org.jetbrains.lincheck.datastructures.BooleanGen;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;

/** The memory ledger, for Lincheck. */
@Param(name = "key", gen = IntGen.class, conf = "1:2")
@Param(name = "attempt", gen = IntGen.class, conf = "1:3")
@Param(name = "fence", gen = IntGen.class, conf = "1:4")
@Param(name = "takeOver", gen = BooleanGen.class)
@Param(name = "ending", gen = IntGen.class, conf = "0:2")
public class LinearizableMemory {
    private final LedgerSteps steps = new LedgerSteps(MemoryLedger::new);

    @Operation
    public String claim(
            @Param(name = "key") int key,
            @Param(name = "attempt") int attempt,
            @Param(name = "takeOver") boolean takeOver) {
        return steps.claim(key, attempt, takeOver);
    }

    @Operation
    public boolean renew(@Param(name = "key") int key, @Param(name = "fence") int fence) {
        return steps.renew(key, fence);
    }

    @Operation
    public String settle(
            @Param(name = "key") int key, @Param(name = "fence") int fence, @Param(name = "ending") int ending) {
        return steps.settle(key, fence, ending);
    }

    @Operation
    public boolean resolve(
            @Param(name = "key") int key, @Param(name = "fence") int fence, @Param(name = "ending") int ending) {
        return steps.resolve(key, fence, ending);
    }

    @Operation
    public boolean forget(
            @Param(name = "key") int key, @Param(name = "fence") int fence, @Param(name = "ending") int ending) {
        return steps.forget(key, fence, ending);
    }

    @Operation
    public String find(@Param(name = "key") int key) {
        return steps.find(key);
    }
}
