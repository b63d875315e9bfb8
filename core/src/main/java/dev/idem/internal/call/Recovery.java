package dev.idem.internal.call;

import dev.idem.OnDoubt;
import dev.idem.Policy;
import dev.idem.RemoteKeys;
import dev.idem.SideEffect;
import dev.idem.spi.Claim;
import dev.idem.spi.TakeOver;
import java.time.Duration;

/** The rules by which the policy of an operation recovers an entry in doubt. */
final class Recovery {
    private Recovery() {}

    /** Whether the remote that got the key will still remember it at the end of another attempt. */
    static boolean remembered(Policy policy, Duration age) {
        RemoteKeys remote = policy.passesKeyTo();
        return remote != null
                && policy.sideEffect() != SideEffect.DESTRUCTIVE
                && policy.onDoubt() != OnDoubt.HALT
                && age.plus(policy.timeLimit()).compareTo(remote.retention()) < 0;
    }

    /** Whether a probe may be asked about a doubt. */
    static boolean probes(Plan plan) {
        return plan.probe() != null && plan.policy().onDoubt() != OnDoubt.HALT;
    }

    /** How long after the doubted attempt's limit a probe may run. */
    static Duration grace(Policy policy) {
        Duration grace = policy.probeGrace();
        return grace == null ? Duration.ZERO : grace;
    }

    /**
     * The take-over that the policy allows for a doubt.
     *
     * @param left how long the call may still wait
     */
    static TakeOver takeOver(Plan plan, Claim.InDoubt inDoubt, Duration left) {
        if (remembered(plan.policy(), inDoubt.age()) || plan.policy().safeToRerun()) {
            return TakeOver.RERUN;
        }
        boolean inTime = inDoubt.probeIn().isZero() || inDoubt.probeIn().compareTo(left) < 0;
        return probes(plan) && inTime ? TakeOver.PROBE : TakeOver.NONE;
    }
}
