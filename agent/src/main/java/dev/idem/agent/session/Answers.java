package dev.idem.agent.session;

import dev.idem.Entry;
import dev.idem.IdemException;
import dev.idem.InDoubtException;
import dev.idem.LedgerException;
import dev.idem.OperationFailedException;
import dev.idem.Outcome;
import dev.idem.Policy;
import dev.idem.SideEffect;
import dev.idem.StaleTicketException;
import dev.idem.UnrecordedException;
import dev.idem.agent.tool.ToolAnswer;
import dev.idem.agent.tool.ToolAnswer.Refused;
import dev.idem.agent.tool.ToolAnswer.Status;
import dev.idem.spi.Result;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Turns the outcomes of claimed calls into answers for the model. */
final class Answers {
    private static final int LONGEST = 500;

    private final Prepared call;
    private final String tool;

    private Answers(Prepared call) {
        this.call = call;
        this.tool = call.tool().name();
    }

    static ToolAnswer of(Prepared call, Outcome<@Nullable Object> outcome) {
        return outcome.match(new Answers(call).cases());
    }

    /** The answer for an exception of Idem; rethrows an exception that a model can't react to. */
    static ToolAnswer of(Prepared call, IdemException thrown) {
        Answers answers = new Answers(call);
        if (thrown instanceof LedgerException) {
            return answers.refused(
                    Status.LEDGER_UNAVAILABLE,
                    "was not called: the record of what has been done can't be read or written right now, and "
                            + "without it a call could happen twice. Nothing ran. Try again later.",
                    thrown);
        } else if (thrown instanceof UnrecordedException unrecorded) {
            return answers.refused(
                    Status.UNRECORDED,
                    "ran and returned " + shown(unrecorded.value()) + ", but that could not be recorded. It has taken "
                            + "effect: do not call it again.",
                    thrown);
        } else if (thrown instanceof StaleTicketException stale) {
            return answers.refused(
                    Status.TAKEN_OVER,
                    "ran and returned " + shown(stale.value()) + ", but it took so long that another attempt had taken "
                            + "over meanwhile. It may have taken effect twice: do not call it again, and tell the user "
                            + "that a person has to compare both.",
                    thrown);
        }
        throw thrown;
    }

    private Outcome.Cases<@Nullable Object, ToolAnswer> cases() {
        return new Outcome.Cases<>() {
            @Override
            public ToolAnswer done(Outcome.Done<@Nullable Object> done) {
                return new ToolAnswer.Ran(tool, done);
            }

            @Override
            public ToolAnswer replayed(Outcome.Replayed<@Nullable Object> replayed) {
                return new ToolAnswer.Replayed(tool, replayed);
            }

            @Override
            public ToolAnswer inFlight(Outcome.InFlight<@Nullable Object> inFlight) {
                return refused(
                        Status.IN_FLIGHT,
                        "was not called: the very same call is running right now, since "
                                + inFlight.failure().entry().times().claimed().truncatedTo(ChronoUnit.SECONDS)
                                + ". Nothing was started twice. Wait a little, then call it again to get its result.",
                        inFlight.failure());
            }

            @Override
            public ToolAnswer conflict(Outcome.Conflict<@Nullable Object> conflict) {
                return refused(
                        Status.CONFLICT,
                        "was not called: the same call was made before with other arguments, and both can't be the "
                                + "same thing. Repeat the first arguments to get the first result.",
                        conflict.failure());
            }

            @Override
            public ToolAnswer inDoubt(Outcome.InDoubt<@Nullable Object> inDoubt) {
                return doubted(inDoubt.failure());
            }

            @Override
            public ToolAnswer failed(Outcome.Failed<@Nullable Object> failed) {
                return failure(failed.failure());
            }

            @Override
            public ToolAnswer expired(Outcome.Expired<@Nullable Object> expired) {
                return refused(
                        Status.EXPIRED,
                        "was not called: it was done long ago, and its result is no longer kept. Do not repeat it.",
                        expired.failure());
            }

            @Override
            public ToolAnswer unavailable(Outcome.Unavailable<@Nullable Object> unavailable) {
                String why = unavailable.failure().entry().result() instanceof Result.Unavailable none
                        ? " (" + none.why() + ")"
                        : "";
                return refused(
                        Status.DONE_WITHOUT_RESULT,
                        "has already run for this and has taken effect, but its result is not known here" + why
                                + ". It was not run again. Do not repeat it; look up the result with another tool if you "
                                + "need it.",
                        unavailable.failure());
            }
        };
    }

    private ToolAnswer doubted(Throwable cause) {
        rethrown(cause);
        // The tool's own code may have thrown the doubt of another operation.
        boolean earlier = cause instanceof InDoubtException doubt
                && call.address().equals(doubt.entry().address());
        String what = !earlier
                ? "was called and ended with " + described(cause) + ". It is unknown whether it took effect."
                : "was not called: an earlier call of it did not end clearly, and it is unknown whether that took effect.";
        return refused(Status.IN_DOUBT, what + " " + next(cause), cause);
    }

    private String next(Throwable cause) {
        String key = "a person can settle it under the key " + call.address().key() + ".";
        if (!recovers(call, cause)) {
            return "Do not call it again: it will not run until somebody has found out. Tell the user that it is "
                    + "unclear, and that " + key;
        }
        String found = "and it does not take effect twice. If it stays unclear, tell the user that " + key;
        long seconds =
                doubts(call, cause).mapToLong(this::secondsBeforeItsProbe).max().orElse(0);
        return seconds <= 0
                ? "You may call it again with exactly the same arguments, now or in some minutes: it is then found out, "
                        + found
                : "Do not call it again now: it may still be running until " + seconds
                        + " seconds after it was called. "
                        + "A call with exactly the same arguments after that finds it out, " + found;
    }

    /** How long after its call a doubt is not decided, because the probe would look too early; 0 where it is soon. */
    private long secondsBeforeItsProbe(InDoubtException doubt) {
        Policy policy = call.tool().policy();
        Entry entry = doubt.entry();
        Instant called = entry.times().claimed();
        Duration grace = policy.probeGrace() == null ? Duration.ZERO : policy.probeGrace();
        Instant asked = entry.tenure().limit().wall().plus(grace);
        boolean waits = call.tool().probe().isPresent()
                && !policy.safeToRerun()
                && policy.passesKeyTo() == null
                && asked.isAfter(doubt.doubt().since())
                && asked.isAfter(called);
        return waits ? Duration.between(called, asked).plusMillis(999).toSeconds() : 0;
    }

    /** Whether the next call resolves this doubt without a person: by a probe, a remote key or a rerun. */
    static boolean recovers(Prepared call, Throwable cause) {
        return call.tool().sideEffect() != SideEffect.DESTRUCTIVE
                && doubts(call, cause).anyMatch(InDoubtException::mayTryAgain);
    }

    /** The doubts that the engine reported for this call. */
    private static Stream<InDoubtException> doubts(Prepared call, Throwable cause) {
        return Stream.concat(Stream.of(cause), Arrays.stream(cause.getSuppressed()))
                .filter(InDoubtException.class::isInstance)
                .map(InDoubtException.class::cast)
                .filter(doubt -> call.address().equals(doubt.entry().address()));
    }

    private ToolAnswer failure(Throwable cause) {
        rethrown(cause);
        String what = cause instanceof OperationFailedException other
                ? "failed in the call that this one waited for: "
                        + other.failure().message()
                : "failed: " + described(cause);
        boolean read = call.tool().parallelSafe();
        return refused(
                Status.FAILED,
                what + ". " + (read ? "" : "It had no effect. ") + "You may correct the cause and call it again.",
                cause);
    }

    private Refused refused(Status status, String what, Throwable cause) {
        return new Refused(tool, status, "'" + tool + "' " + what, call.address(), cause);
    }

    /** Rethrows errors, and restores the interrupt flag. */
    private static void rethrown(Throwable cause) {
        if (cause instanceof Error error) {
            throw error;
        } else if (cause instanceof InterruptedException) {
            Thread.currentThread().interrupt();
        }
    }

    private static String shown(@Nullable Object value) {
        return value == null ? "nothing" : shortened(String.valueOf(value));
    }

    /** An exception in words for a model. */
    private static String described(Throwable thrown) {
        String message = thrown.getMessage();
        String kind = thrown.getClass().getSimpleName();
        String words = kind.replaceAll("(Exception|Error)$", "").replaceAll("(?<=[a-z])(?=[A-Z])", " ");
        // "Runtime" and the like say nothing.
        String what = words.isBlank() || words.equals("Runtime") ? "an error" : words.toLowerCase(Locale.ROOT);
        return message == null || message.isBlank() ? what : what + ": " + shortened(message);
    }

    private static String shortened(String text) {
        return text.length() <= LONGEST ? text : text.substring(0, LONGEST) + "…";
    }
}
