package dev.idem.cli.upkeep;

import dev.idem.Address;
import dev.idem.Entry;
import dev.idem.State;
import dev.idem.internal.key.Fingerprint;
import dev.idem.spi.AttemptId;
import dev.idem.spi.Claim;
import dev.idem.spi.Failure;
import dev.idem.spi.Fingerprints;
import dev.idem.spi.Ledger;
import dev.idem.spi.Result;
import dev.idem.spi.Retention;
import dev.idem.spi.Settled;
import dev.idem.spi.Settlement;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** An entry to import: its address and its settlement. */
record Imported(
        Address address,
        Fingerprints fingerprints,
        Map<String, String> labels,
        @Nullable Address parent,
        Settlement settlement) {
    private static final int HEX_DIGITS = 32;

    /** How the claim ends for a person's decision, which only a resolution may write. */
    private static final Settlement UNDECIDED =
            new Settlement.Doubtful(new Failure("import", "its decision is being imported"));

    /**
     * The id of the claim, the same for every import of the same line: if an import ended between claim and settle, the
     * next one gets the same ticket and settles it.
     */
    AttemptId attemptId() {
        Map<String, @Nullable Object> parts = new LinkedHashMap<>();
        parts.put("key", address.key());
        parts.put("identity", fingerprints.identity());
        parts.put("content", fingerprints.content());
        parts.put("labels", labels);
        parts.put("parent", parent == null ? null : parent.toString());
        String digest = Fingerprint.of(address.scope(), address.operation(), parts);
        return AttemptId.parse(digest.substring(0, HEX_DIGITS));
    }

    /** Whether an earlier import claimed this entry and did not settle it. */
    boolean halfWritten(Entry there) {
        boolean open = there.state() == State.IN_PROGRESS || there.state() == State.IN_DOUBT;
        boolean undecided = there.settlement() == null || (isDecided() && UNDECIDED.equals(there.settlement()));
        return open && undecided && there.tenure().attemptId().equals(attemptId());
    }

    /** Settles the claim; false if another import of the same file was faster. */
    boolean settle(Ledger ledger, Claim claim) {
        Entry there = claim.entry();
        if (!isDecided()) {
            return ledger.settle(there.ticket(), settlement) instanceof Settled.Recorded;
        }
        return (claim instanceof Claim.InDoubt || ledger.settle(there.ticket(), UNDECIDED) instanceof Settled.Recorded)
                && ledger.resolve(address, there.fence(), settlement);
    }

    /** Whether a person has decided how it ended. */
    private boolean isDecided() {
        return settlement.resolution() != null;
    }

    /** Whether the existing entry allows no more than this one would, so that it may stay. */
    boolean isCoveredBy(Entry there) {
        return switch (there.state()) {
            case COMPLETE -> true;
            // Calls that may run again after expiry remove a tombstone.
            case EXPIRED -> hasExpired() || mayRunAgain();
            case IN_DOUBT -> !ended();
            case FAILED -> settlement instanceof Settlement.Failed failed ? !failed.kept() || kept(there) : isNothing();
            case IN_PROGRESS -> false;
        };
    }

    /** Whether the existing entry has failed or expired and may run again, so that this one replaces it. */
    boolean replaces(Entry there) {
        boolean free = there.state() == State.EXPIRED || (there.state() == State.FAILED && !kept(there));
        return free && !isCoveredBy(there);
    }

    /** Whether the outcome is known, but the export has no result. */
    boolean lacksResult() {
        return settlement instanceof Settlement.Completed completed
                && completed.result() instanceof Result.Unavailable unavailable
                && unavailable.why().equals(ExportedLine.NOT_EXPORTED);
    }

    /** Whether it is only a tombstone. */
    private boolean hasExpired() {
        Retention retention = settlement instanceof Settlement.Completed completed
                ? completed.retention()
                : settlement instanceof Settlement.Failed failed ? failed.retention() : null;
        return retention != null && retention.keep().compareTo(ExportedLine.AT_ONCE) <= 0;
    }

    private boolean mayRunAgain() {
        return isNothing() || (settlement instanceof Settlement.Failed failed && !failed.kept());
    }

    private boolean ended() {
        return settlement instanceof Settlement.Completed
                || (settlement instanceof Settlement.Failed failed && failed.kept());
    }

    private boolean isNothing() {
        return settlement instanceof Settlement.NotExecuted;
    }

    private static boolean kept(Entry there) {
        return there.settlement() instanceof Settlement.Failed failed && failed.kept();
    }
}
