package dev.idem.redis;

import dev.idem.entry.Fence;
import dev.idem.entry.Retention;
import dev.idem.entry.Settlement;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Packs what a settle or a resolve sends. */
final class Ending {
    /** Less than the longest settlement, which has the names of its form beside it, and may be sealed. */
    static final int LARGEST_RESULT = 99_000_000;

    private static final int LONGEST = 99_999_999;

    private final long stubMillis;

    Ending(Duration stub) {
        this.stubMillis = stub.toMillis();
    }

    /** Fence, kind, keep + tombstone + length, settlement, time to live. */
    byte[][] arguments(Fence fence, Settlement how) {
        byte[] settlement = SettlementSegment.pack(how);
        if (settlement.length > LONGEST) {
            throw new IllegalArgumentException("an entry in Redis holds at most 100 MB, not " + settlement.length
                    + " bytes: set a lower limit for results");
        }
        Retention retention = retention(how);
        long keep = retention == null ? 0 : Digits.micros(retention.keep());
        long tombstone = retention == null ? 0 : Digits.micros(retention.tombstone());
        byte[] ended = new byte[2 * Digits.TIME + Layout.SETTLEMENT_WIDTH];
        Digits.put(ended, 0, Digits.TIME, keep);
        Digits.put(ended, Digits.TIME, Digits.TIME, tombstone);
        Digits.put(ended, 2 * Digits.TIME, Layout.SETTLEMENT_WIDTH, settlement.length);
        return new byte[][] {
            Digits.of(fence.number(), Digits.TIME),
            {SettlementSegment.kind(how)},
            ended,
            settlement,
            Digits.plain((keep + tombstone) / 1_000 + stubMillis)
        };
    }

    /** Those of {@link #arguments}, then the length and the words of the doubt that a doubtful end leaves. */
    byte[][] argumentsWithDoubt(Fence fence, Settlement how) {
        byte[] reason = how instanceof Settlement.Doubtful doubtful
                ? ("the action ended with " + doubtful.failure().type()).getBytes(StandardCharsets.UTF_8)
                : new byte[0];
        return Arguments.join(
                arguments(fence, how), new byte[][] {Digits.of(reason.length, Layout.LENGTH_WIDTH), reason});
    }

    private static @Nullable Retention retention(Settlement how) {
        if (how instanceof Settlement.Completed completed) {
            return completed.retention();
        } else if (how instanceof Settlement.Failed failed) {
            return failed.retention();
        }
        return how instanceof Settlement.NotExecuted notExecuted ? notExecuted.retention() : null;
    }
}
