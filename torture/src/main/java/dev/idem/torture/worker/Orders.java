package dev.idem.torture.worker;

import java.util.List;

/**
 * The arguments of a worker.
 *
 * @param world the port of the world
 * @param name worker and incarnation
 * @param start when the run began, by the monotonic clock that all processes of a host share
 * @param engines how many Idem instances it opens on its ledger
 * @param threads how many calls it makes at a time
 * @param broken the name of a broken ledger; empty for the ledger as it is
 */
public record Orders(
        String url, int world, String name, long seed, long start, int engines, int threads, String broken) {

    /** As arguments of the program. */
    public List<String> arguments() {
        return List.of(
                url,
                Integer.toString(world),
                name,
                Long.toString(seed),
                Long.toString(start),
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
                Integer.parseInt(argument[5]),
                Integer.parseInt(argument[6]),
                argument[7]);
    }
}
