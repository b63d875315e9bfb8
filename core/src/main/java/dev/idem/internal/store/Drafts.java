package dev.idem.internal.store;

import dev.idem.Entry;
import dev.idem.spi.ClaimRequest;
import dev.idem.spi.EntryStore.Draft;
import dev.idem.spi.EntryStore.Stamp;
import dev.idem.spi.Fence;
import dev.idem.spi.Moment;
import dev.idem.spi.Retention;
import dev.idem.spi.Settlement;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/** Turns the entries that the rules decide on into rows to be written. */
public final class Drafts {
    /** A placeholder for the time of the write, where the rules run without a time of the store. */
    public static final Moment WRITTEN = Moment.ofWall(Instant.EPOCH);

    /** A placeholder for the fence that the store will assign. Never stored. */
    public static final Fence NEXT = new Fence(Long.MAX_VALUE);

    /** Random bits of this process, so that two processes never choose the same versions. */
    private final long salt = new SecureRandom().nextLong();

    private final Duration stub;

    /** Makes drafts whose rows are kept {@code stub} longer than their entries. */
    public Drafts(Duration stub) {
        this.stub = stub;
    }

    /** A grant for an address without an entry. The address may have a trail. */
    public Change first(Entry granted, ClaimRequest request, Trail trail) {
        Limit limit = new Limit(request.timeLimit(), null, false);
        return grant(new Stored(granted, limit, trail), request, true);
    }

    /** A grant over an entry. */
    public Change again(Stored seen, Entry granted, ClaimRequest request, Instant now) {
        boolean doubted = granted.doubt() != null;
        Limit limit = new Limit(
                granted.probing() ? null : request.timeLimit(),
                doubted ? seen.entry().tenure().limit() : null,
                false);
        Trail trail = seen.trail().granted(seen.entry(), granted, now);
        return grant(new Stored(granted, limit, trail), request, false);
    }

    private Change grant(Stored granted, ClaimRequest request, boolean fresh) {
        return change(granted, WRITTEN, true, fresh, Stamp.CLAIMED, request.lease(), null, null);
    }

    /** The same grant again, for a claimer that did not receive the answer. */
    public Change regranted(Stored seen, Duration lease) {
        return change(seen, WRITTEN, false, false, Stamp.NONE, lease, null, null);
    }

    /** An entry in progress with a mark. */
    public Change marked(Stored marked) {
        return change(marked, WRITTEN, false, false, Stamp.NONE, null, null, null);
    }

    /** An entry that its owner has settled or a person has resolved. */
    public Change settled(Stored settled, boolean newFence, Moment written) {
        Retention retention = retentionOf(settled.entry().settlement());
        return change(
                settled,
                written,
                newFence,
                false,
                Stamp.SETTLED,
                null,
                retention == null ? null : retention.keep(),
                retention == null
                        ? null
                        : retention.keep().plus(retention.tombstone()).plus(stub));
    }

    /** The tombstone that a purge leaves of an expired entry. */
    Draft tombstone(Stored stored, Duration left) {
        return change(stored, WRITTEN, false, false, Stamp.NONE, null, left, left.plus(stub))
                .draft();
    }

    /** The remains of a forgotten entry: the fence and the trail. */
    public Draft stub(Trail trail) {
        byte[] document = EntryFormat.forgotten(trail);
        return new Draft(version(), null, false, false, Stamp.NONE, null, stub, stub, Map.of(), document, null);
    }

    private Change change(
            Stored stored,
            Moment written,
            boolean newFence,
            boolean fresh,
            Stamp stamp,
            @Nullable Duration lease,
            @Nullable Duration dueIn,
            @Nullable Duration removeAfter) {
        Entry entry = stored.entry();
        Draft draft = new Draft(
                version(),
                entry.state(),
                newFence,
                fresh,
                stamp,
                lease,
                dueIn,
                removeAfter,
                entry.labels(),
                EntryFormat.document(stored, written),
                EntryFormat.body(entry));
        return new Change(draft, stored, written);
    }

    private long version() {
        return salt ^ ThreadLocalRandom.current().nextLong();
    }

    /** The limit of an ended attempt: unchanged, or shortened to its end. */
    public static Limit limitAfter(Stored seen, Entry settled, Moment now) {
        Moment limit = settled.tenure().limit();
        boolean same = limit.equals(seen.entry().tenure().limit());
        return same || !limit.equals(now)
                ? seen.limit()
                : new Limit(seen.limit().timeLimit(), seen.limit().actUntil(), true);
    }

    static @Nullable Retention retentionOf(@Nullable Settlement how) {
        if (how instanceof Settlement.Completed completed) {
            return completed.retention();
        } else if (how instanceof Settlement.Failed failed) {
            return failed.retention();
        }
        return how instanceof Settlement.NotExecuted notExecuted ? notExecuted.retention() : null;
    }
}
