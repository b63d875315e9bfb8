package dev.idem.testkit;

import dev.idem.spi.Ledger;
import dev.idem.spi.LedgerContext;
import java.time.Instant;
import java.util.function.Consumer;
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

    /** The clocks a new case moves: those the ledger is given, or those its server is made to follow. */
    default SettableClocks clocks() {
        return new SettableClocks();
    }

    /** Whether the ledger judges time by {@link #clocks()}, and not by a server that can't be made to follow them. */
    default boolean settableClocks() {
        return true;
    }

    /** Whether the ledger asks the processes it is given who is alive. */
    default boolean asksProcesses() {
        return true;
    }

    /** Whether leases go by a clock that a step of the wall clock does not move. Servers have only a wall clock. */
    default boolean monotonicClocks() {
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

    /** A durable ledger whose server tells the time, and whose server's clock {@code follower} sets. */
    static LedgerFixture serverTimed(
            Function<LedgerContext, ? extends Ledger> opener, Consumer<? super Instant> follower) {
        LedgerFixture durable = durable(opener);
        return new LedgerFixture() {
            @Override
            public Ledger open(LedgerContext context) {
                return durable.open(context);
            }

            @Override
            public boolean durable() {
                return true;
            }

            @Override
            public SettableClocks clocks() {
                return SettableClocks.wallOnly().followedBy(follower);
            }

            @Override
            public boolean monotonicClocks() {
                return false;
            }
        };
    }
}
