package dev.idem.torture.worker;

import dev.idem.torture.check.Promise;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.Set;

/** The kinds of operations. All calls of a key are of one kind. */
public enum Kind {
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
    /** A write whose results expire during the run, and leave tombstones that do not. */
    TOMBSTONED,
    /** A row in one transaction with the entry, if the ledger has such transactions. */
    TRANSACTED,
    /** A step inside of a nested operation. */
    INNER;

    /** All but {@link #INNER}, which needs another around it. */
    public static Set<Kind> outer() {
        return EnumSet.complementOf(EnumSet.of(INNER));
    }

    /** Reads words with commas between them. */
    public static Set<Kind> parse(String words) {
        Set<Kind> kinds = EnumSet.noneOf(Kind.class);
        for (String word : words.split(",", -1)) {
            kinds.add(valueOf(word.strip().toUpperCase(Locale.ROOT)));
        }
        return kinds;
    }

    /** The kind of the key with this number, one of these and the same in every process. */
    static Kind of(Set<Kind> kinds, long seed, int number) {
        return List.copyOf(EnumSet.copyOf(kinds))
                .get(new Random(seed * 31 + number * 0x9E3779B97F4A7C15L).nextInt(kinds.size()));
    }

    /** Whether its entries expire during the run. */
    boolean expires() {
        return this == BRIEF || this == TOMBSTONED;
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
            case TOMBSTONED ->
                random.nextBoolean() ? EnumSet.of(Promise.TOMBSTONED) : EnumSet.of(Promise.TOMBSTONED, Promise.PROBE);
            case TRANSACTED -> EnumSet.of(Promise.TRANSACTED);
            case MIXED -> random.nextBoolean() ? EnumSet.of(Promise.SAFE) : EnumSet.noneOf(Promise.class);
            default -> EnumSet.noneOf(Promise.class);
        };
    }

    /** Whether a person may resolve a doubt by asking the world, which does not know forgets and rollbacks. */
    boolean resolvable() {
        return this != FORGOTTEN && this != BRIEF && this != TRANSACTED;
    }

    /** The word on the command line. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
