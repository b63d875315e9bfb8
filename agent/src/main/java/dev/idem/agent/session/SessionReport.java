package dev.idem.agent.session;

/**
 * Counts the calls of a session.
 *
 * @param calls all calls
 * @param ran whose code ran, well or not
 * @param replayed that were answered with the result of an earlier run
 * @param recorded that a shadow run kept from running
 * @param refused that got no result and ran nothing
 * @param duplicates that this session had made before and that would have taken effect again
 * @param repeats that were meant as one: a further occurrence of the same call
 */
public record SessionReport(
        String session,
        long calls,
        long ran,
        long replayed,
        long recorded,
        long refused,
        long duplicates,
        long repeats) {
    /** One line: {@code 14 calls, 9 ran, 5 replayed, 2 duplicates prevented}. */
    @Override
    public String toString() {
        StringBuilder line = new StringBuilder()
                .append(counted(calls, "call"))
                .append(", ")
                .append(ran)
                .append(" ran, ")
                .append(replayed)
                .append(" replayed");
        if (recorded > 0) {
            line.append(", ").append(recorded).append(" recorded");
        }
        if (refused > 0) {
            line.append(", ").append(refused).append(" refused");
        }
        if (repeats > 0) {
            line.append(", ").append(counted(repeats, "deliberate repeat"));
        }
        return line.append(", ")
                .append(counted(duplicates, "duplicate"))
                .append(" prevented")
                .toString();
    }

    private static String counted(long number, String what) {
        return number + " " + what + (number == 1 ? "" : "s");
    }
}
