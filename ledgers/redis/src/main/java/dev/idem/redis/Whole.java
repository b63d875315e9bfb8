package dev.idem.redis;

import dev.idem.entry.Retention;
import dev.idem.entry.Settlement;
import dev.idem.ledger.ClaimRequest;
import java.time.Duration;

/** Requests in whole microseconds, so that what is answered and what is read later are the same. */
final class Whole {
    private Whole() {}

    static ClaimRequest of(ClaimRequest request) {
        return isWhole(request.lease()) && isWhole(request.timeLimit()) && isWhole(request.grace())
                ? request
                : request.withLease(of(request.lease()))
                        .withTimeLimit(of(request.timeLimit()))
                        .withGrace(of(request.grace()));
    }

    static Settlement of(Settlement how) {
        if (how instanceof Settlement.Completed completed && !isWhole(completed.retention())) {
            return new Settlement.Completed(
                    completed.result(), completed.effect(), of(completed.retention()), completed.note());
        } else if (how instanceof Settlement.Failed failed && !isWhole(failed.retention())) {
            return new Settlement.Failed(failed.failure(), failed.kept(), of(failed.retention()));
        } else if (how instanceof Settlement.NotExecuted notExecuted && !isWhole(notExecuted.retention())) {
            return new Settlement.NotExecuted(notExecuted.evidence(), of(notExecuted.retention()));
        }
        return how;
    }

    private static Retention of(Retention retention) {
        return new Retention(of(retention.keep()), of(retention.tombstone()));
    }

    private static Duration of(Duration duration) {
        return Digits.duration(Digits.micros(duration));
    }

    private static boolean isWhole(Retention retention) {
        return isWhole(retention.keep()) && isWhole(retention.tombstone());
    }

    private static boolean isWhole(Duration duration) {
        return duration.toNanosPart() % 1_000 == 0;
    }
}
