package dev.idem.testkit.broken;

import dev.idem.Entry;
import dev.idem.internal.rules.Step;
import dev.idem.spi.Claim;
import dev.idem.spi.ClaimRequest;
import dev.idem.spi.LedgerContext;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;

/** Looks first and writes later, in two steps: two claims may both find nothing. */
public final class CheckThenActLedger extends PlainLedger {
    private static final long ROUND_TRIP_NANOS = 50_000;

    /** A broken handle on a store. */
    public CheckThenActLedger(PlainStore store, LedgerContext context) {
        super(store, context);
    }

    @Override
    public Claim claim(ClaimRequest request) {
        Optional<Entry> seen = step(request.address(), "", found -> Step.keep(Optional.ofNullable(found)));
        LockSupport.parkNanos(ROUND_TRIP_NANOS);
        Step<Claim> decided = claim(seen.orElse(null), request, now());
        return step(request.address(), "granted", found -> decided);
    }
}
