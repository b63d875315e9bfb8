package dev.idem.redis;

/**
 * Where the fields of an entry stand in its value, counted from 0 (scripts count from 1). In front what scripts read
 * and write, in digits of a fixed width; behind it segments of bytes that scripts only move: fingerprints, subject,
 * owner, doubt, marks, settlement.
 *
 * <p>Sums are kept as their two parts, the lease for instance as when it was given and for how long, since a script
 * that only copies digits is quicker than one that calculates.
 */
final class Layout {
    /** Of the values this code writes. */
    static final byte FORMAT = '1';

    static final int STATE = 1;
    static final int FENCE = 2;
    /** A stub ends here: format, state, fence. */
    static final int STUB_END = 18;

    static final int ACTED = 18;
    static final int DOUBT_KIND = 34;
    static final int DOUBT_SINCE = 35;
    static final int SETTLED = 51;
    static final int KEEP = 67;
    static final int TOMBSTONE = 83;
    static final int SETTLEMENT_LENGTH = 99;
    static final int LEASED = 107;
    static final int LIMIT_FROM = 123;
    static final int CREATED = 139;
    static final int CLAIMED = 155;
    /** What a claim sends begins here. */
    static final int LEASE = 171;

    static final int LIMIT = 187;
    static final int ATTEMPT = 203;
    static final int STAGED = 213;
    static final int MARKS = 214;
    static final int FINGERPRINTS_LENGTH = 215;
    static final int SUBJECT_LENGTH = 221;
    static final int OWNER_LENGTH = 227;
    static final int DOUBT_LENGTH = 233;
    static final int SEGMENTS = 239;

    static final int ATTEMPT_WIDTH = 10;
    static final int LENGTH_WIDTH = 6;
    static final int SETTLEMENT_WIDTH = 8;

    static final byte IN_PROGRESS = 'P';
    static final byte COMPLETE = 'C';
    static final byte FAILED = 'F';
    static final byte FAILED_FOR_GOOD = 'K';
    static final byte NOT_EXECUTED = 'N';
    static final byte IN_DOUBT = 'D';
    /** In doubt, and the attempt was seen to end; what is written is in doubt. */
    static final byte SEEN_TO_END = 'E';

    static final byte EXPIRED = 'X';
    static final byte STUB = 'S';

    /** No doubt. */
    static final byte CERTAIN = '0';
    /** The doubt's text is its reason. */
    static final byte TOLD = 'T';
    /** The doubt's text is the owner whose lease ran out. */
    static final byte LAPSED = 'L';
    /** The doubt's text is the owner that has ended. */
    static final byte ENDED = 'E';

    private Layout() {}
}
