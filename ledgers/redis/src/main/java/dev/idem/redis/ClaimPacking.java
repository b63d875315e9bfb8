package dev.idem.redis;

import dev.idem.entry.Fingerprints;
import dev.idem.entry.Owner;
import dev.idem.ledger.ClaimRequest;
import org.jspecify.annotations.Nullable;

/** Packs what a claim sends: the entry of a first grant, from the lease on. */
final class ClaimPacking {
    private static final byte YES = '1';
    private static final byte NO = '0';
    private static final int LONGEST_SEGMENT = 999_999;

    /** Nearly always the same one: this process. */
    private volatile @Nullable PackedOwner last;

    @SuppressWarnings("ArrayRecordComponent") // passed on, never compared
    private record PackedOwner(Owner owner, byte[] bytes) {}

    /** The same one for calls that are guarded by the name of their operation alone. */
    private volatile @Nullable PackedFingerprints lastFingerprints;

    @SuppressWarnings("ArrayRecordComponent") // passed on, never compared
    private record PackedFingerprints(Fingerprints fingerprints, byte[] bytes) {}

    byte[] pack(ClaimRequest request) {
        byte[] fingerprints = packed(request.fingerprints());
        byte[] subject = new SubjectSegment(request.parent(), request.labels()).pack();
        byte[] owner = OwnerSegment.pack(request.attemptId(), packed(request.owner()));
        int head = Layout.SEGMENTS - Layout.LEASE;
        byte[] packed = new byte[head + fingerprints.length + subject.length + owner.length];
        put(packed, Layout.LEASE, Digits.TIME, Digits.micros(request.lease()));
        put(packed, Layout.LIMIT, Digits.TIME, Digits.micros(request.timeLimit()));
        put(packed, Layout.ATTEMPT, Layout.ATTEMPT_WIDTH, 1);
        packed[Layout.STAGED - Layout.LEASE] = request.staged() ? YES : NO;
        packed[Layout.MARKS - Layout.LEASE] = NO;
        length(packed, Layout.FINGERPRINTS_LENGTH, fingerprints.length);
        length(packed, Layout.SUBJECT_LENGTH, subject.length);
        length(packed, Layout.OWNER_LENGTH, owner.length);
        length(packed, Layout.DOUBT_LENGTH, 0);
        System.arraycopy(fingerprints, 0, packed, head, fingerprints.length);
        System.arraycopy(subject, 0, packed, head + fingerprints.length, subject.length);
        System.arraycopy(owner, 0, packed, packed.length - owner.length, owner.length);
        return packed;
    }

    @SuppressWarnings("ReferenceEquality") // quick where it is the same one, and only slower where it is an equal one
    private byte[] packed(Owner owner) {
        PackedOwner known = last;
        if (known == null || known.owner != owner) {
            known = new PackedOwner(owner, OwnerSegment.pack(owner));
            last = known;
        }
        return known.bytes;
    }

    @SuppressWarnings("ReferenceEquality") // as above
    private byte[] packed(Fingerprints fingerprints) {
        PackedFingerprints known = lastFingerprints;
        if (known == null || known.fingerprints != fingerprints) {
            known = new PackedFingerprints(fingerprints, FingerprintSegment.pack(fingerprints));
            lastFingerprints = known;
        }
        return known.bytes;
    }

    private static void put(byte[] packed, int field, int width, long number) {
        Digits.put(packed, field - Layout.LEASE, width, number);
    }

    private static void length(byte[] packed, int field, int length) {
        if (length > LONGEST_SEGMENT) {
            throw new IllegalArgumentException(
                    "the names, labels and owner of an entry in Redis have at most a million bytes, not " + length);
        }
        put(packed, field, Layout.LENGTH_WIDTH, length);
    }
}
