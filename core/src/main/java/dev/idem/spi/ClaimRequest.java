package dev.idem.spi;

import dev.idem.Address;
import dev.idem.Repeat;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The arguments of a claim, for one round trip.
 *
 * @param attemptId the same when the request is sent again
 * @param lease how long the ticket is trusted without a heartbeat
 * @param timeLimit how long the action may act at most
 * @param staged whether the action will leave a mark before it acts
 * @param grace how long after the doubted attempt's time limit a probe may run
 * @param repeat whether a complete entry is replayed, or the key is granted for a new first run
 */
public record ClaimRequest(
        AttemptId attemptId,
        Address address,
        Fingerprints fingerprints,
        @Nullable Address parent,
        Map<String, String> labels,
        Owner owner,
        Duration lease,
        Duration timeLimit,
        boolean staged,
        TakeOver takeOver,
        Duration grace,
        Repeat repeat) {
    private static final Duration LONGEST = Duration.ofDays(36_525);

    public ClaimRequest {
        labels = labels.isEmpty() ? Map.of() : Map.copyOf(labels);
        FieldLimits.require(labels, owner, fingerprints);
        requireSpan("a lease", lease);
        requireSpan("a time limit", timeLimit);
        if (grace.isNegative() || grace.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException("a grace must be at most a century and not negative, not " + grace);
        }
    }

    private static void requireSpan(String what, Duration span) {
        if (span.isNegative() || span.isZero() || span.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException(what + " must be positive and at most a century, not " + span);
        }
    }

    /** A request with a lease of 30 s, a time limit of 5 min, no labels, not staged, no take-over; it replays. */
    public static ClaimRequest of(AttemptId attemptId, Address address, Fingerprints fingerprints, Owner owner) {
        return new ClaimRequest(
                attemptId,
                address,
                fingerprints,
                null,
                Map.of(),
                owner,
                Duration.ofSeconds(30),
                Duration.ofMinutes(5),
                false,
                TakeOver.NONE,
                Duration.ZERO,
                Repeat.REPLAY);
    }

    public ClaimRequest withTakeOver(TakeOver how) {
        return new ClaimRequest(
                attemptId, address, fingerprints, parent, labels, owner, lease, timeLimit, staged, how, grace, repeat);
    }

    public ClaimRequest withFingerprints(Fingerprints guards) {
        return new ClaimRequest(
                attemptId, address, guards, parent, labels, owner, lease, timeLimit, staged, takeOver, grace, repeat);
    }

    public ClaimRequest withAttemptId(AttemptId id) {
        return new ClaimRequest(
                id, address, fingerprints, parent, labels, owner, lease, timeLimit, staged, takeOver, grace, repeat);
    }

    public ClaimRequest withLease(Duration duration) {
        return new ClaimRequest(
                attemptId,
                address,
                fingerprints,
                parent,
                labels,
                owner,
                duration,
                timeLimit,
                staged,
                takeOver,
                grace,
                repeat);
    }

    public ClaimRequest withTimeLimit(Duration duration) {
        return new ClaimRequest(
                attemptId,
                address,
                fingerprints,
                parent,
                labels,
                owner,
                lease,
                duration,
                staged,
                takeOver,
                grace,
                repeat);
    }

    public ClaimRequest withGrace(Duration duration) {
        return new ClaimRequest(
                attemptId,
                address,
                fingerprints,
                parent,
                labels,
                owner,
                lease,
                timeLimit,
                staged,
                takeOver,
                duration,
                repeat);
    }

    public ClaimRequest withStaged(boolean isStaged) {
        return new ClaimRequest(
                attemptId,
                address,
                fingerprints,
                parent,
                labels,
                owner,
                lease,
                timeLimit,
                isStaged,
                takeOver,
                grace,
                repeat);
    }

    public ClaimRequest withLabels(Map<String, String> names) {
        return new ClaimRequest(
                attemptId,
                address,
                fingerprints,
                parent,
                names,
                owner,
                lease,
                timeLimit,
                staged,
                takeOver,
                grace,
                repeat);
    }

    public ClaimRequest withParent(@Nullable Address around) {
        return new ClaimRequest(
                attemptId,
                address,
                fingerprints,
                around,
                labels,
                owner,
                lease,
                timeLimit,
                staged,
                takeOver,
                grace,
                repeat);
    }

    public ClaimRequest withRepeat(Repeat onComplete) {
        return new ClaimRequest(
                attemptId,
                address,
                fingerprints,
                parent,
                labels,
                owner,
                lease,
                timeLimit,
                staged,
                takeOver,
                grace,
                onComplete);
    }
}
