package dev.idem.testkit.contract;

import dev.idem.testkit.LedgerFixture;
import dev.idem.testkit.model.ModelContract;
import org.junit.jupiter.api.Nested;

/**
 * The contract of all ledgers. A ledger's test extends it and opens the ledger; tests of missing capabilities are
 * skipped. Tests with the tag {@value #RULES} ask the rules, which a ledger on {@code StoreLedger} does not write
 * itself: its quick runs may leave them out.
 */
public abstract class LedgerContract {
    /** The tag of tests that ask the rules more than the store. */
    public static final String RULES = "rules";

    /** The store under test. Each call returns an empty store that shares nothing with the others. */
    protected abstract LedgerFixture fixture();

    @Nested
    class Claims extends ClaimContract {
        @Override
        protected LedgerFixture fixture() {
            return LedgerContract.this.fixture();
        }
    }

    @Nested
    class Settles extends SettleContract {
        @Override
        protected LedgerFixture fixture() {
            return LedgerContract.this.fixture();
        }
    }

    @Nested
    class Leases extends LeaseContract {
        @Override
        protected LedgerFixture fixture() {
            return LedgerContract.this.fixture();
        }
    }

    @Nested
    class Doubts extends DoubtContract {
        @Override
        protected LedgerFixture fixture() {
            return LedgerContract.this.fixture();
        }
    }

    @Nested
    class Probes extends ProbeContract {
        @Override
        protected LedgerFixture fixture() {
            return LedgerContract.this.fixture();
        }
    }

    @Nested
    class Corners extends CornerContract {
        @Override
        protected LedgerFixture fixture() {
            return LedgerContract.this.fixture();
        }
    }

    @Nested
    class Fences extends FenceContract {
        @Override
        protected LedgerFixture fixture() {
            return LedgerContract.this.fixture();
        }
    }

    @Nested
    class Decisions extends DecisionContract {
        @Override
        protected LedgerFixture fixture() {
            return LedgerContract.this.fixture();
        }
    }

    @Nested
    class Expiry extends ExpiryContract {
        @Override
        protected LedgerFixture fixture() {
            return LedgerContract.this.fixture();
        }
    }

    @Nested
    class RoundTrips extends RoundTripContract {
        @Override
        protected LedgerFixture fixture() {
            return LedgerContract.this.fixture();
        }
    }

    @Nested
    class Addresses extends AddressContract {
        @Override
        protected LedgerFixture fixture() {
            return LedgerContract.this.fixture();
        }
    }

    @Nested
    class Browsing extends BrowseContract {
        @Override
        protected LedgerFixture fixture() {
            return LedgerContract.this.fixture();
        }
    }

    @Nested
    class Counting extends FiguresContract {
        @Override
        protected LedgerFixture fixture() {
            return LedgerContract.this.fixture();
        }
    }

    @Nested
    class Waiting extends AwaitContract {
        @Override
        protected LedgerFixture fixture() {
            return LedgerContract.this.fixture();
        }
    }

    @Nested
    class History extends HistoryContract {
        @Override
        protected LedgerFixture fixture() {
            return LedgerContract.this.fixture();
        }
    }

    @Nested
    class Reopening extends ReopenContract {
        @Override
        protected LedgerFixture fixture() {
            return LedgerContract.this.fixture();
        }
    }

    @Nested
    class Racing extends ConcurrencyContract {
        @Override
        protected LedgerFixture fixture() {
            return LedgerContract.this.fixture();
        }
    }

    @Nested
    class Crashes extends CrashContract {
        @Override
        protected LedgerFixture fixture() {
            return LedgerContract.this.fixture();
        }
    }

    @Nested
    class Modelled extends ModelContract {
        @Override
        protected LedgerFixture fixture() {
            return LedgerContract.this.fixture();
        }
    }
}
