package dev.idem.testkit;

import dev.idem.spi.Ledger;
import dev.idem.spi.LedgerContext;
import java.time.Instant;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Opens the ledger under test and declares its abilities. Tests of missing abilities are skipped.
 *
 * <p>Each fixture is one store, empty at first.
 */
public interface LedgerFixture {
    /** Opens the store. A durable store still has its entries when it is opened again. */
    Ledger open(LedgerContext context);

    /** Whether entries outlive the ledger object. */
    default boolean durable() {
        return false;
    }

    /** The clocks that a case moves: those of the ledger, or those that its server follows. */
    default SettableClocks clocks() {
        return new SettableClocks();
    }

    /** Whether the ledger uses {@link #clocks()}, and not the time of a server that can't follow them. */
    default boolean settableClocks() {
        return true;
    }

    /** Whether the ledger asks the given processes which owners are alive. */
    default boolean asksProcesses() {
        return true;
    }

    /** Whether leases use a monotonic clock. Servers have only a wall clock. */
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

    /** A durable ledger with the time of its server, whose clock {@code follower} sets. */
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
