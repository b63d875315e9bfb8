package dev.idem.internal.call;

import dev.idem.Entry;
import dev.idem.OnDoubt;
import dev.idem.Policy;
import dev.idem.RemoteKeys;
import dev.idem.SideEffect;
import dev.idem.spi.Claim;
import dev.idem.spi.TakeOver;
import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** The rules by which the policy of an operation recovers an entry in doubt. */
public final class Recovery {
    /**
     * The label that keeps the way out of a doubt with the entry, for people who look at it later. Most calls leave doubts
     * to a person, and have no such label.
     */
    public static final String LABEL = "recovery";

    private Recovery() {}

    /** The way out of a doubt. */
    public enum WayOut {
        /** The next call runs it again with the same key, by which the remote answers once. */
        SAME_KEY,
        /** The next call runs it again, which does no harm. */
        RERUN,
        /** A call asks the probe, once the doubted attempt can no longer act. */
        PROBE,
        /** A person finds out and resolves the entry. */
        PERSON;

        /** Its name in answers and labels. */
        public String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** The way out of a doubt that the newest claim of an entry has declared. */
    public static WayOut declared(Entry entry) {
        String word = entry.labels().get(LABEL);
        return Arrays.stream(WayOut.values())
                .filter(way -> way.word().equals(word))
                .findFirst()
                .orElse(WayOut.PERSON);
    }

    /** These labels, and the way out of a doubt where it is not a person. A label of the caller stays. */
    static Map<String, String> labels(Map<String, String> given, Policy policy, boolean hasProbe) {
        WayOut way = wayOut(policy, hasProbe, Duration.ZERO);
        if (way == WayOut.PERSON || given.containsKey(LABEL)) {
            return given;
        }
        Map<String, String> all = new TreeMap<>(given);
        all.put(LABEL, way.word());
        return all;
    }

    /**
     * The way out of a doubt that a policy allows.
     *
     * @param hasProbe whether the caller can ask a probe
     * @param age how long ago the first claim was
     */
    public static WayOut wayOut(Policy policy, boolean hasProbe, Duration age) {
        if (remembered(policy, age)) {
            return WayOut.SAME_KEY;
        } else if (policy.safeToRerun()) {
            return WayOut.RERUN;
        }
        return hasProbe && policy.onDoubt() != OnDoubt.HALT ? WayOut.PROBE : WayOut.PERSON;
    }

    /** Whether the remote that got the key will still remember it at the end of another attempt. */
    private static boolean remembered(Policy policy, Duration age) {
        RemoteKeys remote = policy.passesKeyTo();
        return remote != null
                && policy.sideEffect() != SideEffect.DESTRUCTIVE
                && policy.onDoubt() != OnDoubt.HALT
                && age.plus(policy.timeLimit()).compareTo(remote.retention()) < 0;
    }

    /** How long after the doubted attempt's limit a probe may run. */
    public static Duration grace(Policy policy) {
        Duration grace = policy.probeGrace();
        return grace == null ? Duration.ZERO : grace;
    }

    /**
     * The take-over that the policy allows for a doubt.
     *
     * @param left how long the call may still wait
     */
    static TakeOver takeOver(Policy policy, boolean hasProbe, Claim.InDoubt inDoubt, Duration left) {
        return switch (wayOut(policy, hasProbe, inDoubt.age())) {
            case SAME_KEY, RERUN -> TakeOver.RERUN;
            case PROBE ->
                inDoubt.probeIn().isZero() || inDoubt.probeIn().compareTo(left) < 0 ? TakeOver.PROBE : TakeOver.NONE;
            case PERSON -> TakeOver.NONE;
        };
    }
}
