package dev.idem.redis;

import dev.idem.entry.Address;
import dev.idem.entry.AttemptId;
import dev.idem.entry.Doubt;
import dev.idem.entry.Entry;
import dev.idem.entry.Fence;
import dev.idem.entry.Fingerprints;
import dev.idem.entry.Mark;
import dev.idem.entry.Moment;
import dev.idem.entry.Owner;
import dev.idem.entry.Retention;
import dev.idem.entry.Settlement;
import dev.idem.entry.State;
import dev.idem.entry.Tenure;
import dev.idem.entry.Times;
import dev.idem.error.LedgerUnreadableException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads the entry from the value of a key. */
final class EntryUnpacking {
    private static final LastRead<Fingerprints> FINGERPRINTS = new LastRead<>(FingerprintSegment::unpack);
    private static final LastRead<Owner> OWNERS = new LastRead<>(OwnerSegment::owner);

    private final byte[] bytes;
    private final int base;
    private final byte state;

    private EntryUnpacking(byte[] bytes, int base) {
        this.bytes = bytes;
        this.base = base;
        this.state = bytes[base + Layout.STATE];
    }

    /**
     * The entry in the bytes from {@code base} on; null where only a stub is left of it, or nothing.
     *
     * @throws LedgerUnreadableException when they hold what no entry can hold; never taken for "not seen"
     */
    static @Nullable Entry unpack(Address address, byte[] bytes, int base) {
        try {
            if (bytes.length == base) {
                return null;
            } else if (bytes[base] != Layout.FORMAT) {
                throw new IllegalArgumentException("its format is not 1: a newer version wrote it, or another program");
            }
            EntryUnpacking unpacking = new EntryUnpacking(bytes, base);
            return unpacking.state == Layout.STUB ? null : unpacking.entry(address);
        } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
            throw new LedgerUnreadableException(
                    "the entry " + address + " can't be read (" + e.getMessage()
                            + "). Nothing was changed; read it with the version that wrote it, or remove its key by hand",
                    e);
        }
    }

    private Entry entry(Address address) {
        int subject = base + Layout.SEGMENTS + length(Layout.FINGERPRINTS_LENGTH);
        int owner = subject + length(Layout.SUBJECT_LENGTH);
        int doubt = owner + length(Layout.OWNER_LENGTH);
        int marks = doubt + length(Layout.DOUBT_LENGTH);
        int settlement =
                bytes.length - (int) Digits.read(bytes, base + Layout.SETTLEMENT_LENGTH, Layout.SETTLEMENT_WIDTH);
        Fingerprints fingerprints = FINGERPRINTS.of(bytes, base + Layout.SEGMENTS, subject);
        SubjectSegment about = SubjectSegment.unpack(reader(subject, owner));
        AttemptId attemptId = OwnerSegment.attemptId(reader(owner, doubt));
        Owner holder = OWNERS.of(bytes, owner + OwnerSegment.ATTEMPT_ID, doubt);
        return new Entry(
                address,
                state(),
                new Fence(micros(Layout.FENCE)),
                (int) Digits.read(bytes, base + Layout.ATTEMPT, Layout.ATTEMPT_WIDTH),
                fingerprints,
                about.parent(),
                about.labels(),
                tenure(attemptId, holder, MarkSegment.unpack(reader(marks, settlement))),
                doubt(reader(doubt, marks)),
                times(),
                0,
                settlement(reader(settlement, bytes.length)));
    }

    private State state() {
        return switch (state) {
            case Layout.IN_PROGRESS -> State.IN_PROGRESS;
            case Layout.COMPLETE -> State.COMPLETE;
            case Layout.FAILED, Layout.FAILED_FOR_GOOD -> State.FAILED;
            case Layout.IN_DOUBT -> State.IN_DOUBT;
            case Layout.EXPIRED -> State.EXPIRED;
            default -> throw new IllegalArgumentException("'" + (char) state + "' is no state");
        };
    }

    private Tenure tenure(AttemptId attemptId, Owner holder, List<Mark> marks) {
        return new Tenure(
                attemptId,
                holder,
                Moment.ofWall(Digits.instant(micros(Layout.LEASED) + micros(Layout.LEASE))),
                new Fence(micros(Layout.ACTED)),
                Moment.ofWall(Digits.instant(micros(Layout.LIMIT_FROM) + micros(Layout.LIMIT))),
                bytes[base + Layout.STAGED] == '1',
                marks);
    }

    private @Nullable Doubt doubt(FieldReader text) {
        byte kind = bytes[base + Layout.DOUBT_KIND];
        if (kind == Layout.CERTAIN) {
            return null;
        }
        Instant since = Digits.instant(micros(Layout.DOUBT_SINCE));
        if (kind == Layout.TOLD) {
            return new Doubt(new String(text.rest(), StandardCharsets.UTF_8), since);
        }
        String name = OwnerSegment.unpack(text).owner().name();
        // The words of a lapse that nobody has written down; the take-over that wrote it down keeps them.
        return new Doubt(
                kind == Layout.ENDED
                        ? "the process that ran it, " + name + ", ended without settling it"
                        : "the lease of " + name + " ran out without a heartbeat",
                since);
    }

    private Times times() {
        Instant settled = null;
        Instant expires = null;
        if (state != Layout.IN_PROGRESS) {
            settled = Digits.instant(micros(Layout.SETTLED));
            expires = state == Layout.IN_DOUBT ? null : Digits.instant(micros(Layout.SETTLED) + micros(Layout.KEEP));
        }
        return new Times(
                Digits.instant(micros(Layout.CREATED)), Digits.instant(micros(Layout.CLAIMED)), settled, expires);
    }

    private @Nullable Settlement settlement(FieldReader reader) {
        if (state == Layout.IN_PROGRESS) {
            return null;
        }
        Retention retention = state == Layout.IN_DOUBT
                ? Retention.DEFAULT
                : new Retention(Digits.duration(micros(Layout.KEEP)), Digits.duration(micros(Layout.TOMBSTONE)));
        return SettlementSegment.unpack(reader, state, retention);
    }

    private long micros(int field) {
        return Digits.read(bytes, base + field, Digits.TIME);
    }

    private int length(int field) {
        return (int) Digits.read(bytes, base + field, Layout.LENGTH_WIDTH);
    }

    private FieldReader reader(int from, int end) {
        return new FieldReader(bytes, from, end);
    }
}
