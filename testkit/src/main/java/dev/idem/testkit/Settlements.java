package dev.idem.testkit;

import dev.idem.spi.Effect;
import dev.idem.spi.Failure;
import dev.idem.spi.Payload;
import dev.idem.spi.Result;
import dev.idem.spi.Retention;
import dev.idem.spi.Settlement;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/** Settlements for tests. */
public final class Settlements {
    /** Longer than every lease and limit of the contracts. */
    public static final Retention DAY = Retention.of(Duration.ofDays(1));

    /** A day of replays, then an hour of "expired". */
    public static final Retention DAY_AND_TOMBSTONE = DAY.withTombstone(Duration.ofHours(1));

    private Settlements() {}

    /** It happened, with this JSON as the result. */
    public static Settlement.Completed completed(String json) {
        return completed(json, DAY);
    }

    /** It happened, and this JSON is kept for that long. */
    public static Settlement.Completed completed(String json, Retention retention) {
        return new Settlement.Completed(new Result.Stored(json(json)), Effect.CREATED, retention);
    }

    /** JSON as a codec would have stored it. */
    public static Payload json(String json) {
        return Payload.of(json.getBytes(StandardCharsets.UTF_8), "application/json", "json");
    }

    /** Nothing happened; it may run again. */
    public static Settlement.Failed failed() {
        return failed(DAY);
    }

    /** Nothing happened; it may run again. */
    public static Settlement.Failed failed(Retention retention) {
        return new Settlement.Failed(new Failure("java.net.ConnectException", "refused"), false, retention);
    }

    /** Nothing happened, and later callers get the same failure. */
    public static Settlement.Failed failedForGood() {
        return new Settlement.Failed(new Failure("card.declined", "insufficient funds"), true, DAY);
    }

    /** It may have happened. */
    public static Settlement.Doubtful doubtful() {
        return new Settlement.Doubtful(new Failure("java.net.SocketTimeoutException", "Read timed out"));
    }

    /** A probe has found no effect, and none can follow. */
    public static Settlement.NotExecuted notExecuted() {
        return new Settlement.NotExecuted("no charge with this key at the bank", DAY);
    }
}
