package dev.idem.torture.worker;

import dev.idem.torture.check.Answer;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The arguments of a worker.
 *
 * @param world the port of the world
 * @param name worker and incarnation
 * @param start when the run began, by the monotonic clock that all processes of a host share
 * @param kinds of the operations that it calls
 * @param engines how many Idem instances it opens on its ledger
 * @param threads how many calls it makes at a time
 * @param broken the name of a broken ledger; empty for the ledger as it is
 */
public record Orders(
        String url,
        int world,
        String name,
        long seed,
        long start,
        Set<Kind> kinds,
        int engines,
        int threads,
        String broken) {

    /** Whether the run is about expiry alone. */
    boolean allExpire() {
        return kinds.stream().allMatch(Kind::expires);
    }

    /** The answer that a replay counts as: replicas that are waited for confirm writes, not reads. */
    Answer replay() {
        return url.contains("?wait=") ? Answer.UNCONFIRMED : Answer.REPLAYED;
    }

    /** As arguments of the program. */
    public List<String> arguments() {
        return List.of(
                url,
                Integer.toString(world),
                name,
                Long.toString(seed),
                Long.toString(start),
                kinds.stream().map(Kind::word).collect(Collectors.joining(",")),
                Integer.toString(engines),
                Integer.toString(threads),
                broken);
    }

    static Orders parse(String[] argument) {
        return new Orders(
                argument[0],
                Integer.parseInt(argument[1]),
                argument[2],
                Long.parseLong(argument[3]),
                Long.parseLong(argument[4]),
                Kind.parse(argument[5]),
                Integer.parseInt(argument[6]),
                Integer.parseInt(argument[7]),
                argument[8]);
    }
}
