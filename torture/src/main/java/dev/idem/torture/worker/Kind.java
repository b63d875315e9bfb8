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
    /** The action writes its own mark. */
    STAGED,
    /** In two steps, with the engine's mark between them. */
    PREPARED,
    STAGED_PROBE,
    KEEPING,
    /** Idempotent around two inner writes. */
    NESTED,
    /** A write that some callers, and only some, declare safe to run again. */
    MIXED,
    /** A write whose entries are sometimes forgotten. */
    FORGOTTEN,
    /** A write whose entries expire and are purged during the run. */
    BRIEF,
    /** A row in one transaction with the entry, if the ledger has such transactions. */
    TRANSACTED,
    /** A step inside of a nested operation. */
    INNER;

    private static final List<Kind> OUTER =
            Stream.of(values()).filter(kind -> kind != INNER).toList();

    /** The kind of the key with this number, the same in every process. */
    static Kind of(long seed, int number) {
        return OUTER.get(new Random(seed * 31 + number * 0x9E3779B97F4A7C15L).nextInt(OUTER.size()));
    }

    /** The declarations of a call of this kind. */
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

    /** Whether a person may resolve a doubt by asking the world, which does not know forgets and rollbacks. */
    boolean resolvable() {
        return this != FORGOTTEN && this != BRIEF && this != TRANSACTED;
    }

    String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
