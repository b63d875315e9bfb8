package dev.idem.internal;

import dev.idem.Address;
import dev.idem.Entry;
import dev.idem.InDoubtException;
import dev.idem.NextStep;
import dev.idem.OnDoubt;
import dev.idem.Policy;
import dev.idem.RemoteKeys;
import dev.idem.SideEffect;
import dev.idem.seal.SealedLedger;
import dev.idem.spi.Doubt;
import dev.idem.spi.Retention;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Decides by the policy of an operation how to recover an entry in doubt. */
final class Recovery {
    private static final Pattern FILE = Pattern.compile("((?:sqlite|jsonl):.+?) \\(");
    private static final Pattern PLAIN_WORD = Pattern.compile("[A-Za-z0-9_@%+=:,./-]+");

    private static final String NEXT_TIME =
            ". So that Idem finds out by itself next time, declare probe(...) on the operation, or "
                    + "passesKeyTo(...) on its policy, or rerunOnDoubt() if running it twice does no harm";

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
        return plan.probe != null && plan.policy.onDoubt() != OnDoubt.HALT;
    }

    /** How long after the doubted attempt's limit a probe may run. */
    static Duration grace(Policy policy) {
        Duration grace = policy.probeGrace();
        return grace == null ? Duration.ZERO : grace;
    }

    /**
     * The exception for a call that found an entry in doubt, or left one.
     *
     * @param age how long ago the first claim was
     */
    static InDoubtException exception(Engine engine, Plan plan, Entry entry, Doubt doubt, Duration age) {
        return new InDoubtException(entry, doubt, next(engine, plan, entry, age));
    }

    /** The exception after a probe that could not tell, or that threw. */
    static InDoubtException afterProbe(Entry entry, @Nullable Throwable thrown) {
        String told =
                thrown == null ? "could not tell" : "threw " + thrown.getClass().getName();
        var next = new NextStep("The probe was asked and " + told + ". The next call asks it again", true);
        var exception = new InDoubtException(entry, Objects.requireNonNull(entry.doubt()), next);
        if (thrown != null) {
            exception.addSuppressed(thrown);
        }
        return exception;
    }

    private static NextStep next(Engine engine, Plan plan, Entry entry, Duration age) {
        Policy policy = plan.policy;
        RemoteKeys remote = policy.passesKeyTo();
        if (remote != null && remembered(policy, age)) {
            return new NextStep(
                    "The next call runs it again with the same key, which " + remote.name() + " remembers for "
                            + DurationText.of(remote.retention()) + " and answers once",
                    true);
        }
        if (policy.safeToRerun()) {
            return new NextStep(
                    "The next call runs it again, since the operation declares that this does no harm", true);
        }
        String forgotten = remote == null || policy.sideEffect() == SideEffect.DESTRUCTIVE
                ? ""
                : remote.name() + " remembers keys for " + DurationText.of(remote.retention())
                        + ", which is over, so it may not know this one any more. ";
        if (probes(plan)) {
            return new NextStep(
                    forgotten + "The first call after "
                            + entry.tenure().limit().wall().plus(grace(policy)).truncatedTo(ChronoUnit.SECONDS)
                            + " asks the probe: until then the last request of the attempt may still arrive (its time limit"
                            + (grace(policy).isZero() ? "" : " and the grace of the probe") + ")",
                    true);
        }
        return new NextStep(
                forgotten + "Find out whether the effect took place, then resolve the entry: "
                        + command(engine, policy, entry.address())
                        + (isRequest(entry.address()) ? "" : NEXT_TIME),
                false);
    }

    /** Whether the entry is of an HTTP request: its handler has no operation or policy to declare anything on. */
    private static boolean isRequest(Address address) {
        return address.scope().startsWith("http:");
    }

    private static String command(Engine engine, Policy policy, Address address) {
        Duration keep = policy.retention().keep();
        boolean usual = keep.equals(Retention.DEFAULT.keep());
        String java = "idem.resolve(entry).by(\"NAME\").because(\"REASON\")"
                + (usual ? "" : ".retention(Duration.parse(\"" + keep + "\"))") + ".asComplete(value) or .asFailed()";
        String described = engine.ledger.describe();
        if (engine.ledger instanceof SealedLedger || described.startsWith("memory:")) {
            return java;
        }
        Matcher file = FILE.matcher(described);
        return "idem resolve " + word(address.key()) + " --operation " + word(address.operation()) + " --scope "
                + word(address.scope()) + " --ledger " + (file.lookingAt() ? word(file.group(1)) : "\"$IDEM_LEDGER\"")
                + " --by NAME --why REASON" + (usual ? "" : " --ttl " + keep)
                + " --as complete --result JSON, or --as failed; in Java " + java;
    }

    private static String word(String text) {
        return PLAIN_WORD.matcher(text).matches() ? text : "'" + text.replace("'", "'\\''") + "'";
    }
}
