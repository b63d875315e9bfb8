package dev.idem.testkit.hazard;

import dev.idem.testkit.LedgerFixture;
import org.junit.jupiter.api.Nested;

/** All promises of the engine on one ledger: one test for each known hazard, named after it. */
public abstract class HazardContract {
    /** The store under test. Each call returns an empty store that shares nothing with the others. */
    protected abstract LedgerFixture fixture();

    @Nested
    class Ownership extends OwnershipHazards {
        @Override
        protected LedgerFixture fixture() {
            return HazardContract.this.fixture();
        }
    }

    @Nested
    class Pauses extends PauseHazards {
        @Override
        protected LedgerFixture fixture() {
            return HazardContract.this.fixture();
        }
    }

    @Nested
    class Recovery extends RecoveryHazards {
        @Override
        protected LedgerFixture fixture() {
            return HazardContract.this.fixture();
        }
    }

    @Nested
    class TakeOvers extends TakeOverHazards {
        @Override
        protected LedgerFixture fixture() {
            return HazardContract.this.fixture();
        }
    }

    @Nested
    class Crashes extends CrashHazards {
        @Override
        protected LedgerFixture fixture() {
            return HazardContract.this.fixture();
        }
    }

    @Nested
    class LostAnswers extends LostAnswerHazards {
        @Override
        protected LedgerFixture fixture() {
            return HazardContract.this.fixture();
        }
    }

    @Nested
    class Calls extends CallHazards {
        @Override
        protected LedgerFixture fixture() {
            return HazardContract.this.fixture();
        }
    }

    @Nested
    class Nesting extends NestingHazards {
        @Override
        protected LedgerFixture fixture() {
            return HazardContract.this.fixture();
        }
    }

    @Nested
    class Bystanders extends BystanderHazards {
        @Override
        protected LedgerFixture fixture() {
            return HazardContract.this.fixture();
        }
    }

    @Nested
    class Duplicates extends DuplicateHazards {
        @Override
        protected LedgerFixture fixture() {
            return HazardContract.this.fixture();
        }
    }

    @Nested
    class Heartbeats extends HeartbeatHazards {
        @Override
        protected LedgerFixture fixture() {
            return HazardContract.this.fixture();
        }
    }
}
