package dev.idem.testkit;

import dev.idem.ledger.Ledger;
import dev.idem.ledger.LedgerContext;
import java.util.function.Function;

/**
 * How the contracts open the ledger they judge. What a ledger can't do is said here, and shows as skipped tests.
 *
 * <p>Each fixture stands for one store that is empty at first.
 */
public interface LedgerFixture {
    /** Opens the store. Opened again after a close, a durable one still has its entries. */
    Ledger open(LedgerContext context);

    /** Whether entries outlive the ledger object. */
    default boolean durable() {
        return false;
    }

    /** Whether the ledger judges time by the clocks it is given, and not by those of a server. */
    default boolean settableClocks() {
        return true;
    }

    /** Whether the ledger asks the processes it is given who is alive. */
    default boolean asksProcesses() {
        return true;
    }

    /** A ledger whose entries end with it. */
    static LedgerFixture of(Function<LedgerContext, ? extends Ledger> opener) {
        return opener::apply;
    }

    /** A ledger whose entries are still there when it is opened again. */
    static LedgerFixture durable(Function<LedgerContext, ? extends Ledger> opener) {
        return new LedgerFixture() {
            @Override
            public Ledger open(LedgerContext context) {
                return opener.apply(context);
            }

            @Override
            public boolean durable() {
                return true;
            }
        };
    }
}
