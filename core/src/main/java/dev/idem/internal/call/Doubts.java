package dev.idem.internal.call;

import dev.idem.Address;
import dev.idem.Entry;
import dev.idem.InDoubtException;
import dev.idem.NextStep;
import dev.idem.Policy;
import dev.idem.RemoteKeys;
import dev.idem.SideEffect;
import dev.idem.internal.runtime.Clock;
import dev.idem.internal.runtime.Log;
import dev.idem.spi.FieldLimits;
import dev.idem.spi.Ledger;
import dev.idem.spi.Retention;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Tells callers and the log that an entry is in doubt, and what settles it. */
final class Doubts {
    private static final String NEXT_TIME =
            ". So that Idem finds out by itself next time, declare probe(...) on the operation, or "
                    + "passesKeyTo(...) on its policy, or rerunOnDoubt() if running it twice does no harm";

    /** Of the message of an exception in a line of the log. */
    private static final int MOST_SAID = 160;

    private final Ledger ledger;
    private final Clock clock;
    private final boolean keepsDetails;

    Doubts(Ledger ledger, Clock clock, boolean keepsDetails) {
        this.ledger = ledger;
        this.clock = clock;
        this.keepsDetails = keepsDetails;
    }

    /** The exception for a call that waited for an attempt, which ended in doubt. */
    InDoubtException reportEnded(Plan plan, Entry entry) {
        return reportFound(plan, entry, ageOf(entry));
    }

    /**
     * The exception for a call that found an entry in doubt.
     *
     * @param age how long ago the first claim was
     */
    InDoubtException reportFound(Plan plan, Entry entry, Duration age) {
        return logged(exception(entry, next(plan, entry, age)), shortly(plan, entry, age), null);
    }

    /** The exception for a call whose action threw, and left an entry in doubt. */
    InDoubtException reportLeft(Plan plan, Entry entry, Throwable thrown) {
        Duration age = ageOf(entry);
        return logged(
                exception(entry, next(plan, entry, age)), shortly(plan, entry, age), keepsDetails ? thrown : null);
    }

    /** The exception after a probe that could not tell, or that threw. */
    InDoubtException reportProbed(Entry entry, @Nullable Throwable thrown) {
        String told =
                thrown == null ? "could not tell" : "threw " + thrown.getClass().getName();
        var next = new NextStep("The probe was asked and " + told + ". The next call asks it again", true);
        InDoubtException exception = exception(entry, next);
        if (thrown != null) {
            exception.addSuppressed(thrown);
        }
        return logged(exception, next.advice(), null);
    }

    private static InDoubtException exception(Entry entry, NextStep next) {
        return new InDoubtException(entry, Objects.requireNonNull(entry.doubt()), next);
    }

    /** One line says what, who and the next step; the whole message and the stack are for debugging. */
    private static InDoubtException logged(InDoubtException why, String next, @Nullable Throwable thrown) {
        Entry entry = why.entry();
        String said = thrown == null ? "" : Objects.requireNonNullElse(thrown.getMessage(), "");
        String first = said.lines().findFirst().orElse("");
        Log.warn(
                () -> entry.address() + " is in doubt: " + why.doubt().reason()
                        + (first.isBlank() ? "" : " (" + FieldLimits.cut(first, MOST_SAID) + ")") + "; attempt "
                        + entry.attempt() + ", fence " + entry.fence() + ", by "
                        + entry.tenure().owner().name() + ". " + next,
                null);
        Log.debug(why::getMessage, thrown);
        return why;
    }

    private String shortly(Plan plan, Entry entry, Duration age) {
        return switch (Recovery.wayOut(plan.policy(), plan.probe() != null, age)) {
            case SAME_KEY -> "The next call runs it again with the same key";
            case RERUN -> "The next call runs it again";
            case PROBE -> "A later call asks the probe";
            case PERSON ->
                "A person settles it: "
                        + ResolveLine.of(ledger, entry.address(), plan.policy()).orElse("idem.resolve(entry)");
        };
    }

    /** How long ago the first claim was, by the clock of this process. */
    private Duration ageOf(Entry entry) {
        Duration age = Duration.between(entry.began(), Instant.ofEpochMilli(clock.millis()));
        return age.isNegative() ? Duration.ZERO : age;
    }

    private NextStep next(Plan plan, Entry entry, Duration age) {
        Policy policy = plan.policy();
        RemoteKeys remote = policy.passesKeyTo();
        String forgotten = remote == null || policy.sideEffect() == SideEffect.DESTRUCTIVE
                ? ""
                : remote.name() + " remembers keys for " + inWords(remote.retention())
                        + ", which is over, so it may not know this one any more. ";
        return switch (Recovery.wayOut(policy, plan.probe() != null, age)) {
            case SAME_KEY ->
                new NextStep(
                        "The next call runs it again with the same key, which "
                                + Objects.requireNonNull(remote).name() + " remembers for "
                                + inWords(remote.retention()) + " and answers once",
                        true);
            case RERUN ->
                new NextStep("The next call runs it again, since the operation declares that this does no harm", true);
            case PROBE ->
                new NextStep(
                        forgotten + "The first call after "
                                + entry.tenure()
                                        .limit()
                                        .wall()
                                        .plus(Recovery.grace(policy))
                                        .truncatedTo(ChronoUnit.SECONDS)
                                + " asks the probe: until then the last request of the attempt may still arrive (its time limit"
                                + (Recovery.grace(policy).isZero() ? "" : " and the grace of the probe") + ")",
                        true);
            case PERSON ->
                new NextStep(
                        forgotten + "Find out whether the effect took place, then resolve the entry: "
                                + command(policy, entry.address())
                                + (isRequest(entry.address()) ? "" : NEXT_TIME),
                        false);
        };
    }

    /** Whether the entry is of an HTTP request: its handler has no operation or policy to declare anything on. */
    private static boolean isRequest(Address address) {
        return address.scope().startsWith("http:");
    }

    private String command(Policy policy, Address address) {
        Duration keep = policy.retention().keep();
        boolean usual = keep.equals(Retention.DEFAULT.keep());
        String java = "idem.resolve(entry).by(\"NAME\").because(\"REASON\")"
                + (usual ? "" : ".retention(Duration.parse(\"" + keep + "\"))") + ".asComplete(value) or .asFailed()";
        return ResolveLine.of(ledger, address, policy)
                .map(line -> line + "; in Java " + java)
                .orElse(java);
    }

    /** For instance {@code 24 hours}, {@code 90 seconds}, {@code 7 days}. */
    private static String inWords(Duration duration) {
        long seconds = duration.toSeconds();
        if (seconds > 2 * 86_400 && seconds % 86_400 == 0) {
            return seconds / 86_400 + " days";
        } else if (seconds > 2 * 3_600 && seconds % 3_600 == 0) {
            return seconds / 3_600 + " hours";
        } else if (seconds > 2 * 60 && seconds % 60 == 0) {
            return seconds / 60 + " minutes";
        }
        return seconds < 2 ? duration.toMillis() + " ms" : seconds + " seconds";
    }
}
