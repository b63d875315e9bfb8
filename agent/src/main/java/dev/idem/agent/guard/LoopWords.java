package dev.idem.agent.guard;

import dev.idem.Json;
import dev.idem.JsonException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Texts for a stopped model. */
final class LoopWords {
    private static final int LONGEST = 500;

    private LoopWords() {}

    static StoppedCall loop(CountedCall step, List<CountedCall> same, int window) {
        CountedCall earlier = same.stream()
                .filter(one ->
                        one != step && one.ending() != null && one.ending().how() != Ending.How.STOPPED)
                .findFirst()
                .orElse(null);
        String words = "This call of '" + step.tool + "' was not run: it is the " + ordinal(same.size())
                + " with the same arguments within the last " + window + " calls, and another run would not help. "
                + outcome(earlier)
                + "Use what you have, or go on without this call.";
        return new StoppedCall(
                step.tool, StoppedCall.Why.LOOP, same.size(), earlier == null ? null : earlier.result(), words);
    }

    static StoppedCall limit(CountedCall step, StoppedCall.Why why, int used, String limit) {
        boolean session = why.name().startsWith("SESSION");
        String words = "This call of '" + step.tool + "' was not run: "
                + (session ? "all calls of this task together" : "this tool")
                + " may have " + limit + ", and that is used up. "
                + (session
                        ? "Make no more calls; finish with what you have, and say what is missing."
                        : "Do not call it again in this task; go on without it, and say what is missing.");
        return new StoppedCall(step.tool, why, used, null, words);
    }

    private static String outcome(@Nullable CountedCall earlier) {
        if (earlier == null) {
            return "The earlier call has not ended yet. ";
        }
        Throwable failure = earlier.failure();
        if (failure != null) {
            return "The earlier call failed: " + cut(failure.getClass().getSimpleName() + ": " + failure.getMessage())
                    + ". ";
        }
        return "The earlier result was: " + cut(text(earlier.result())) + ". ";
    }

    private static String text(@Nullable Object result) {
        if (result instanceof String text) {
            return text;
        }
        try {
            return Json.write(result);
        } catch (JsonException e) {
            return String.valueOf(result);
        }
    }

    private static String cut(String text) {
        return text.length() <= LONGEST ? text : text.substring(0, LONGEST) + "… (" + text.length() + " characters)";
    }

    private static String ordinal(int number) {
        return switch (number) {
            case 1 -> "1st";
            case 2 -> "2nd";
            case 3 -> "3rd";
            default -> number + "th";
        };
    }
}
