package dev.idem.torture.worker;

import dev.idem.torture.check.Promise;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;

/** The kinds of operations. All calls of a key are of one kind. */
enum Kind {
    WRITE,
    DESTRUCTIVE,
    IDEMPOTENT,
    RERUN,
    PROBE,
    /** Marks by itself. */
    STAGED,
    /** In two steps, with the engine's mark between them. */
    PREPARED,
    STAGED_PROBE,
    KEEPING,
    /** Idempotent around two inner writes. */
    NESTED,
    /** A write that some callers, and only some, declare safe to run again. */
    MIXED,
    /** A write whose entries are forgotten now and then. */
    FORGOTTEN,
    /** A write whose entries expire and are purged while the run goes on. */
    BRIEF,
    /** A row in one transaction with the entry, where the ledger has such transactions. */
    TRANSACTED,
    /** A step inside of a nested operation. */
    INNER;

    private static final List<Kind> OUTER =
            Stream.of(values()).filter(kind -> kind != INNER).toList();

    /** The kind of the key with this number, the same in every process. */
    static Kind of(long seed, int number) {
        return OUTER.get(new Random(seed * 31 + number * 0x9E3779B97F4A7C15L).nextInt(OUTER.size()));
    }

    /** What a call of this kind declares. */
    Set<Promise> promises(Random random) {
        return switch (this) {
            case IDEMPOTENT, RERUN, NESTED -> EnumSet.of(Promise.SAFE);
            case PROBE -> EnumSet.of(Promise.PROBE);
            case STAGED, PREPARED -> EnumSet.of(Promise.STAGED);
            case STAGED_PROBE -> EnumSet.of(Promise.STAGED, Promise.PROBE);
            case KEEPING -> EnumSet.of(Promise.KEPT);
            case BRIEF -> EnumSet.of(Promise.BRIEF);
            case TRANSACTED -> EnumSet.of(Promise.TRANSACTED);
            case MIXED -> random.nextBoolean() ? EnumSet.of(Promise.SAFE) : EnumSet.noneOf(Promise.class);
            default -> EnumSet.noneOf(Promise.class);
        };
    }

    /** Whether a person who finds it in doubt asks the world: that knows nothing of what was forgotten or rolled back. */
    boolean resolvable() {
        return this != FORGOTTEN && this != BRIEF && this != TRANSACTED;
    }

    String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
