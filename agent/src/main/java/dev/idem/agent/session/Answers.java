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
import dev.idem.agent.tool.RefusalWords;
import dev.idem.agent.tool.ToolAnswer;
import dev.idem.agent.tool.ToolAnswer.Refused;
import dev.idem.agent.tool.ToolAnswer.Status;
import dev.idem.spi.Result;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Turns the outcomes of claimed calls into answers for the model. */
final class Answers {
    private static final int LONGEST = 500;

    private final Prepared call;
    private final String tool;
    private final RefusalWords words;

    private Answers(Prepared call) {
        this.call = call;
        this.tool = call.tool().name();
        this.words = new RefusalWords(tool);
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
                    answers.said(
                            "was not called: the record of what has been done can't be read or written right now, and "
                                    + "without it a call could happen twice. Nothing ran. Try again later."),
                    thrown);
        } else if (thrown instanceof UnrecordedException unrecorded) {
            return answers.refused(
                    Status.UNRECORDED,
                    answers.said("ran and returned " + shown(unrecorded.value())
                            + ", but that could not be recorded. It has taken effect: do not call it again."),
                    thrown);
        } else if (thrown instanceof StaleTicketException stale) {
            return answers.refused(
                    Status.TAKEN_OVER,
                    answers.said("ran and returned " + shown(stale.value())
                            + ", but it took so long that another attempt had taken over meanwhile. It may have taken effect "
                            + "twice: do not call it again, and tell the user that a person has to compare both."),
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
                        words.inFlight(inFlight.failure().entry().times().claimed()),
                        inFlight.failure());
            }

            @Override
            public ToolAnswer conflict(Outcome.Conflict<@Nullable Object> conflict) {
                return refused(Status.CONFLICT, words.conflict(), conflict.failure());
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
                return refused(Status.EXPIRED, words.expired(), expired.failure());
            }

            @Override
            public ToolAnswer unavailable(Outcome.Unavailable<@Nullable Object> unavailable) {
                String why =
                        unavailable.failure().entry().result() instanceof Result.Unavailable none ? none.why() : "";
                return refused(Status.DONE_WITHOUT_RESULT, words.withoutResult(why), unavailable.failure());
            }
        };
    }

    private ToolAnswer doubted(Throwable cause) {
        rethrown(cause);
        // The tool's own code may have thrown the doubt of another operation.
        boolean earlier = cause instanceof InDoubtException doubt
                && call.address().equals(doubt.entry().address());
        String next = next(cause);
        String what = earlier
                ? words.inDoubt(next)
                : said("was called and ended with " + shortened(RefusalWords.described(cause))
                        + ". It is unknown whether it took effect. " + next);
        return refused(Status.IN_DOUBT, what, cause);
    }

    private String next(Throwable cause) {
        String key = call.address().key();
        return recovers(call, cause)
                ? RefusalWords.settledByTheNextCall(
                        key,
                        doubts(call, cause)
                                .mapToLong(this::secondsBeforeItsProbe)
                                .max()
                                .orElse(0))
                : RefusalWords.settledByAPerson(key);
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
        if (cause instanceof OperationFailedException other) {
            return refused(Status.FAILED, words.failedBefore(other.failure().message()), cause);
        }
        boolean read = call.tool().parallelSafe();
        return refused(
                Status.FAILED,
                said("failed: " + shortened(RefusalWords.described(cause)) + ". " + (read ? "" : "It had no effect. ")
                        + "You may correct the cause and call it again."),
                cause);
    }

    private String said(String what) {
        return "'" + tool + "' " + what;
    }

    private Refused refused(Status status, String what, Throwable cause) {
        return new Refused(tool, status, what, call.address(), cause);
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

    private static String shortened(String text) {
        return text.length() <= LONGEST ? text : text.substring(0, LONGEST) + "…";
    }
}
