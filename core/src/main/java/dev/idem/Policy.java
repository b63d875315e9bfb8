package dev.idem;

import dev.idem.spi.Retention;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The options of a call: one immutable value for operations, tools, routes and command lines.
 *
 * <pre>{@code
 * static final Policy CHARGE = Policy.write().timeLimit(Duration.ofSeconds(5)).passesKeyTo(STRIPE);
 *
 * idem.operation("charge").policy(CHARGE).identity(order).run(call -> payments.charge(order, call.key()));
 * }</pre>
 *
 * <p>A policy is partial: an option that is not set differs from an option that is set to its default. {@link #over}
 * puts one policy over another. An option that neither sets has the default that its accessor states. Thread-safe. All
 * setters throw {@link NullPointerException} for null.
 */
public final class Policy {
    private static final Policy UNSET = new Policy(new EnumMap<>(PolicyOption.class));
    private static final Classifier UNDECIDED = thrown -> Classifier.Judgement.UNDECIDED;

    private final Map<PolicyOption, Object> set;

    private Policy(EnumMap<PolicyOption, Object> set) {
        this.set = set;
    }

    /** A policy in which nothing is set. */
    public static Policy unset() {
        return UNSET;
    }

    /** A policy for actions that change nothing: they run on every call. */
    public static Policy read() {
        return of(SideEffect.READ);
    }

    /** A policy for actions that may run again with the same key without harm. */
    public static Policy idempotent() {
        return of(SideEffect.IDEMPOTENT);
    }

    /**
     * A policy for actions that do harm when they run twice. After a crash or an ambiguous failure the entry is in doubt,
     * and a probe, the remote or a person decides. This is also the default of an operation.
     */
    public static Policy write() {
        return of(SideEffect.WRITE);
    }

    /**
     * A policy for actions that do great harm when they run twice. As {@link #write()}, and stricter: a duplicate does not
     * wait, no call runs an entry in doubt again by itself, and after its retention the key answers "expired" for as long
     * again.
     */
    public static Policy destructive() {
        return of(SideEffect.DESTRUCTIVE);
    }

    /** A policy in which only the side effect is set. */
    public static Policy of(SideEffect sideEffect) {
        return UNSET.sideEffect(sideEffect);
    }

    /**
     * Reads a policy from text, one option in each line: {@code side_effect: write}, {@code time_limit: 5s},
     * {@code on_doubt: probe}, {@code keep_failures: true}.
     *
     * @param remotes finds the remote that {@code passes_key_to} names
     * @throws IllegalArgumentException for an unknown option or value; the message lists the known ones
     */
    public static Policy parse(String text, Function<String, RemoteKeys> remotes) {
        return PolicyText.parse(text, remotes);
    }

    /** Sets the side effect of the action; a READ is refused where an approval is set (see {@link #approval}). */
    public Policy sideEffect(SideEffect sideEffect) {
        return with(PolicyOption.SIDE_EFFECT, sideEffect).requireApprovalIsAsked();
    }

    /** The side effect of the action; {@link SideEffect#WRITE} by default. */
    public SideEffect sideEffect() {
        return get(PolicyOption.SIDE_EFFECT, SideEffect.class, SideEffect.WRITE);
    }

    /** Whether the side effect was set. */
    public boolean hasSideEffect() {
        return set.containsKey(PolicyOption.SIDE_EFFECT);
    }

    /** Whether the retention was set. */
    public boolean hasRetention() {
        return set.containsKey(PolicyOption.RETENTION);
    }

    /**
     * Sets the lease: how long a ticket is trusted without a heartbeat. A heartbeat is sent every third of the lease.
     *
     * @throws IllegalArgumentException unless it is positive
     */
    public Policy lease(Duration lease) {
        return with(PolicyOption.LEASE, positive("lease", lease));
    }

    /** The lease: how long a ticket is trusted without a heartbeat; 30 s by default. */
    public Duration lease() {
        return get(PolicyOption.LEASE, Duration.class, Duration.ofSeconds(30));
    }

    /**
     * Sets how long the action may run. The limit does not stop the action; see {@link #interruptible()}. It ends the
     * heartbeats, so the entry will be in doubt when its lease is over. A late result still counts if no other call has
     * taken over.
     *
     * @throws IllegalArgumentException unless it is positive
     */
    public Policy timeLimit(Duration limit) {
        return with(PolicyOption.TIME_LIMIT, positive("time limit", limit));
    }

    /** How long the action may run; 5 min by default. */
    public Duration timeLimit() {
        return get(PolicyOption.TIME_LIMIT, Duration.class, Duration.ofMinutes(5));
    }

    /** Sets how long a call waits while another call runs the same operation. Zero refuses the call at once. */
    public Policy waitFor(Duration wait) {
        return with(PolicyOption.WAIT, wait);
    }

    /**
     * How long a call waits while another call runs the same operation; 10 s by default. Destructive calls never wait.
     */
    public Duration waitFor() {
        return sideEffect() == SideEffect.DESTRUCTIVE
                ? Duration.ZERO
                : get(PolicyOption.WAIT, Duration.class, Duration.ofSeconds(10));
    }

    /**
     * Sets how long a result answers duplicates. After that the key is free and the action runs again, unless there is a
     * {@link #tombstone}. Choose a time longer than the longest retry.
     */
    public Policy retention(Duration keep) {
        return with(PolicyOption.RETENTION, Retention.of(keep).keep());
    }

    /** Sets how long a result answers duplicates, and how long a tombstone stands after that. */
    public Policy retention(Retention retention) {
        return retention(retention.keep()).tombstone(retention.tombstone());
    }

    /**
     * Sets how long a key answers "expired" ({@link ExpiredException}) after its result is gone, instead of running again;
     * zero for not at all.
     */
    public Policy tombstone(Duration tombstone) {
        return with(PolicyOption.TOMBSTONE, tombstone);
    }

    /** How long a result is kept: 7 days by default. A destructive one leaves a tombstone for as long again. */
    public Retention retention() {
        Duration keep = get(PolicyOption.RETENTION, Duration.class, Retention.DEFAULT.keep());
        Duration usual = sideEffect() == SideEffect.DESTRUCTIVE ? keep : Duration.ZERO;
        return new Retention(keep, get(PolicyOption.TOMBSTONE, Duration.class, usual));
    }

    /** Sets the treatment of an entry in doubt. */
    public Policy onDoubt(OnDoubt onDoubt) {
        return with(PolicyOption.ON_DOUBT, onDoubt);
    }

    /** Declares that running the action again does no harm: an entry in doubt runs again. */
    public Policy rerunOnDoubt() {
        return onDoubt(OnDoubt.RERUN);
    }

    /** The treatment of an entry in doubt; null where it is not set: then {@link #safeToRerun()} and a probe decide. */
    public @Nullable OnDoubt onDoubt() {
        return (OnDoubt) set.get(PolicyOption.ON_DOUBT);
    }

    /** Whether an entry in doubt may run again, by these options. A destructive action never runs again by itself. */
    public boolean safeToRerun() {
        SideEffect sideEffect = sideEffect();
        boolean usual = sideEffect == SideEffect.IDEMPOTENT && onDoubt() == null;
        return sideEffect != SideEffect.DESTRUCTIVE && (usual || onDoubt() == OnDoubt.RERUN);
    }

    /**
     * Sets how long the remote may still work on a request of an attempt in doubt. If the end of the attempt was seen, the
     * probe waits for the grace. It was seen if the exception carries an answer of the remote, or after {@link
     * Call#remoteEnded()}. Otherwise, as after a crash, the probe waits for the time limit and then for the grace.
     */
    public Policy probeGrace(Duration grace) {
        return with(PolicyOption.PROBE_GRACE, grace);
    }

    /** How long the remote may still work; null where it is not set: then the probe waits for the whole time limit. */
    public @Nullable Duration probeGrace() {
        return (Duration) set.get(PolicyOption.PROBE_GRACE);
    }

    /**
     * Declares that the action passes its key to a remote that deduplicates by it. While the remote remembers the key,
     * an entry in doubt runs again.
     */
    public Policy passesKeyTo(RemoteKeys remote) {
        return with(PolicyOption.PASSES_KEY_TO, remote);
    }

    /** The remote that deduplicates by the key; none by default. */
    public @Nullable RemoteKeys passesKeyTo() {
        return (RemoteKeys) set.get(PolicyOption.PASSES_KEY_TO);
    }

    /** Declares that exceptions of these kinds mean that nothing happened. */
    @SafeVarargs
    public final Policy definiteOn(Class<? extends Throwable>... kinds) {
        return classify(Classifier.definite(kinds));
    }

    /** Adds a classifier of exceptions that is consulted before the existing ones. */
    public Policy classify(Classifier classifier) {
        return with(PolicyOption.DEFINITE_ON, classifier.or(classifier()));
    }

    /** The classifier of exceptions; by default it decides nothing. */
    public Classifier classifier() {
        return get(PolicyOption.DEFINITE_ON, Classifier.class, UNDECIDED);
    }

    /** Stores failures: a duplicate of a failed call gets the failure and does not run. */
    public Policy keepFailures() {
        return with(PolicyOption.KEEP_FAILURES, true);
    }

    /** Whether a duplicate of a failed call gets the failure; not by default. */
    public boolean keepsFailures() {
        return set.containsKey(PolicyOption.KEEP_FAILURES);
    }

    /**
     * Promises that the action leaves a durable mark right before its effect: with {@link Operation#prepare}, or with
     * {@link Call#mark}. A crash without a mark then proves that nothing happened, and the action runs again. An action
     * that breaks the promise acts twice; when it ends without a mark, there is a warning.
     */
    public Policy staged() {
        return with(PolicyOption.STAGED, true);
    }

    /** Whether the action promises to write a mark; not by default. */
    public boolean isStaged() {
        return set.containsKey(PolicyOption.STAGED);
    }

    /** Sets the treatment of a duplicate with the same identity and other content. */
    public Policy onReworded(Reworded reworded) {
        return with(PolicyOption.REWORDED, reworded);
    }

    /** The treatment of a duplicate with other content; a warning by default. */
    public Reworded onReworded() {
        return get(PolicyOption.REWORDED, Reworded.class, Reworded.WARN);
    }

    /** Sets the treatment of a call whose entry is complete. */
    public Policy onRepeat(Repeat repeat) {
        return with(PolicyOption.REPEAT, repeat);
    }

    /** The treatment of a call whose entry is complete; it gets the stored result by default. */
    public Repeat onRepeat() {
        return get(PolicyOption.REPEAT, Repeat.class, Repeat.REPLAY);
    }

    /** Interrupts the action's thread when its ticket is lost or its time limit is over. */
    public Policy interruptible() {
        return with(PolicyOption.INTERRUPT, true);
    }

    /** Whether the action's thread is interrupted; not by default. */
    public boolean isInterruptible() {
        return set.containsKey(PolicyOption.INTERRUPT);
    }

    /**
     * Sets how many times a failed call is tried at most, the first try included. Needs a session of the agent layer.
     *
     * @throws IllegalArgumentException unless it is positive
     */
    public Policy retry(int attempts) {
        if (attempts < 1) {
            throw new IllegalArgumentException("a call is tried at least once, not " + attempts + " times");
        }
        return with(PolicyOption.RETRY, attempts);
    }

    /** How many times a failed call is tried, where it was set; else the session decides by the side effect. */
    public @Nullable Integer retry() {
        return (Integer) set.get(PolicyOption.RETRY);
    }

    /**
     * Demands that a person approves each call before it runs. Needs a session of the agent layer. Refused where the side
     * effect is READ: reads run without a claim. Policies in layers ({@link #over}) are not refused.
     */
    public Policy approval() {
        return with(PolicyOption.APPROVAL, true).requireApprovalIsAsked();
    }

    /** Whether a person must approve each call; not by default. */
    public boolean needsApproval() {
        return set.containsKey(PolicyOption.APPROVAL);
    }

    /**
     * Sets how a call inside a transaction of a framework, such as Spring, relates to that transaction. Without it such a
     * call is refused.
     */
    public Policy transaction(TransactionMode mode) {
        return with(PolicyOption.TRANSACTION, mode);
    }

    /** How a call relates to the transaction that it is made in, where it was set. */
    public @Nullable TransactionMode transaction() {
        return (TransactionMode) set.get(PolicyOption.TRANSACTION);
    }

    /** This policy without approval and retry. A session carries these two out itself; an operation refuses them. */
    public Policy withoutSessionOptions() {
        EnumMap<PolicyOption, Object> rest = new EnumMap<>(PolicyOption.class);
        rest.putAll(set);
        rest.remove(PolicyOption.APPROVAL);
        rest.remove(PolicyOption.RETRY);
        return new Policy(rest);
    }

    /**
     * This policy over another: the options of this one win. Where both set the side effect, the treatment of doubt or
     * approval, the stricter one wins. Classifiers of both are consulted, those of this policy first.
     */
    public Policy over(Policy lower) {
        if (lower.set.isEmpty()) {
            return this;
        }
        EnumMap<PolicyOption, Object> merged = new EnumMap<>(lower.set);
        set.forEach((option, value) -> merged.merge(option, value, option::merged));
        return new Policy(merged);
    }

    private Policy requireApprovalIsAsked() {
        if (sideEffect() == SideEffect.READ && needsApproval()) {
            throw new IllegalArgumentException("an approval is for calls that change something, and a read changes "
                    + "nothing; remove the approval, or declare side_effect: write");
        }
        return this;
    }

    private Policy with(PolicyOption option, Object value) {
        EnumMap<PolicyOption, Object> copy = new EnumMap<>(PolicyOption.class);
        copy.putAll(set);
        copy.put(option, Objects.requireNonNull(value, option.name()));
        return new Policy(copy);
    }

    private <T> T get(PolicyOption option, Class<T> type, T absent) {
        Object value = set.get(option);
        return value == null ? absent : type.cast(value);
    }

    private static Duration positive(String what, Duration duration) {
        if (duration.isNegative() || duration.isZero()) {
            throw new IllegalArgumentException("the " + what + " must be positive, not " + duration);
        }
        return duration;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Policy that && set.equals(that.set);
    }

    @Override
    public int hashCode() {
        return set.hashCode();
    }

    /** The options that are set. */
    @Override
    public String toString() {
        return "Policy" + set;
    }
}
