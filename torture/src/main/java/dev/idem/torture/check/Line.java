package dev.idem.torture.check;

import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;
import java.util.StringJoiner;
import java.util.stream.Collectors;

/**
 * One line of the log of a run. The world writes lines in the order of arrival; a worker waits for that before it
 * continues, so a later line did not begin before an earlier one ended.
 */
public sealed interface Line {
    /** The id of the call: worker, incarnation, thread, number. */
    String call();

    /** The address of the call. */
    String key();

    /** A call is about to be made. */
    record Asked(String call, String key, String identity, Set<Promise> promises) implements Line {}

    /** The action of a granted call runs. */
    record Began(String call, String key, long fence, int attempt) implements Line {}

    /**
     * The effect took place in the world.
     *
     * @param token the result of this effect, made by no other
     */
    record Effect(String call, String key, long fence, String token) implements Line {}

    /** The world refused the effect: a probe with a higher fence was answered "not happened". */
    record Refused(String call, String key, long fence) implements Line {}

    /** The action is about to throw; definite: it declares that nothing happened. */
    record Threw(String call, String key, long fence, boolean definite) implements Line {}

    /**
     * A row was written in the transaction of the entry; it exists if that is committed.
     *
     * @param token the result, as of an effect
     */
    record Wrote(String call, String key, long fence, String token) implements Line {}

    /** A forget of the entry with this fence is about to be sent. */
    record Forgetting(String call, String key, long fence) implements Line {}

    /**
     * The ledger answered the forget: whether the entry is forgotten.
     *
     * @param knowing whether it was seen complete
     */
    record Forgot(String call, String key, long fence, boolean knowing, boolean done) implements Line {}

    /** A probe asked the world under a ticket whether the effect had happened. */
    record Probed(String call, String key, long fence, boolean happened) implements Line {}

    /**
     * The call has ended.
     *
     * @param fence of the attempt that made the value or the failure, or of the entry that has expired; 0 if unknown
     * @param said the token of the value, or the reason why there is none
     */
    record Answered(String call, String key, Answer answer, long fence, String said) implements Line {}

    /** The line as it is written. */
    default String text() {
        if (this instanceof Asked l) {
            String promises = l.promises.stream().map(Enum::name).sorted().collect(Collectors.joining(","));
            return join("asked", l.call, l.key, l.identity, promises);
        } else if (this instanceof Began l) {
            return join("began", l.call, l.key, l.fence, l.attempt);
        } else if (this instanceof Effect l) {
            return join("effect", l.call, l.key, l.fence, l.token);
        } else if (this instanceof Refused l) {
            return join("refused", l.call, l.key, l.fence);
        } else if (this instanceof Threw l) {
            return join("threw", l.call, l.key, l.fence, l.definite);
        } else if (this instanceof Probed l) {
            return join("probed", l.call, l.key, l.fence, l.happened);
        } else if (this instanceof Wrote l) {
            return join("wrote", l.call, l.key, l.fence, l.token);
        } else if (this instanceof Forgetting l) {
            return join("forgetting", l.call, l.key, l.fence);
        } else if (this instanceof Forgot l) {
            return join("forgot", l.call, l.key, l.fence, l.knowing, l.done);
        }
        Answered l = (Answered) this;
        return join("answered", l.call, l.key, l.answer.name().toLowerCase(Locale.ROOT), l.fence, l.said);
    }

    /** Reads {@link #text()}. */
    static Line parse(String text) {
        String[] part = text.split("\t", -1);
        String call = part[1];
        String key = part[2];
        return switch (part[0]) {
            case "asked" -> new Asked(call, key, part[3], promises(part[4]));
            case "began" -> new Began(call, key, Long.parseLong(part[3]), Integer.parseInt(part[4]));
            case "effect" -> new Effect(call, key, Long.parseLong(part[3]), part[4]);
            case "refused" -> new Refused(call, key, Long.parseLong(part[3]));
            case "threw" -> new Threw(call, key, Long.parseLong(part[3]), Boolean.parseBoolean(part[4]));
            case "probed" -> new Probed(call, key, Long.parseLong(part[3]), Boolean.parseBoolean(part[4]));
            case "wrote" -> new Wrote(call, key, Long.parseLong(part[3]), part[4]);
            case "forgetting" -> new Forgetting(call, key, Long.parseLong(part[3]));
            case "forgot" ->
                new Forgot(
                        call,
                        key,
                        Long.parseLong(part[3]),
                        Boolean.parseBoolean(part[4]),
                        Boolean.parseBoolean(part[5]));
            case "answered" ->
                new Answered(
                        call, key, Answer.valueOf(part[3].toUpperCase(Locale.ROOT)), Long.parseLong(part[4]), part[5]);
            default -> throw new IllegalArgumentException("'" + text + "' is no line of a log");
        };
    }

    private static Set<Promise> promises(String text) {
        Set<Promise> promises = EnumSet.noneOf(Promise.class);
        for (String name : text.isEmpty() ? new String[0] : text.split(",", -1)) {
            promises.add(Promise.valueOf(name));
        }
        return promises;
    }

    private static String join(Object... parts) {
        StringJoiner joined = new StringJoiner("\t");
        for (Object part : parts) {
            joined.add(part.toString().replaceAll("[\t\r\n]", " "));
        }
        return joined.toString();
    }
}
