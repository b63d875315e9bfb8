package dev.idem.torture.worker;

import dev.idem.Address;
import dev.idem.torture.check.Promise;
import java.time.Duration;
import java.util.Random;
import java.util.Set;

/**
 * The plan of one call.
 *
 * @param key without scope and operation
 * @param slow how long a slow action takes
 */
record Script(
        String scope,
        Kind kind,
        String key,
        String identity,
        Set<Promise> promises,
        Behaviour behaviour,
        Duration lease,
        Duration limit,
        Duration patience,
        Duration retention,
        Duration slow) {
    private static final double KEYS_A_SECOND = 50;
    /** If all expire, each is called often: before, while and after it expires and is purged. */
    private static final double EXPIRING_KEYS_A_SECOND = 5;

    private static final int RECENT = 60;

    /** A call of a recent key, sometimes of an old one. */
    static Script any(Random random, Orders orders, Duration sinceStart) {
        double rate = orders.allExpire() ? EXPIRING_KEYS_A_SECOND : KEYS_A_SECOND;
        int newest = (int) (sinceStart.toMillis() * rate / 1000);
        int number = random.nextInt(12) == 0 ? random.nextInt(newest + 1) : newest - random.nextInt(RECENT);
        int key = Math.max(0, number);
        return of(Kind.of(orders.kinds(), orders.seed(), key), key, "k" + key, random);
    }

    /** The address of the entry. */
    Address address() {
        return new Address(scope, kind.word(), key);
    }

    /** An inner operation. */
    Script inner(String name, Random random) {
        return of(Kind.INNER, scope.charAt(1) - '0', key + "-" + name, random);
    }

    private static Script of(Kind kind, int number, String key, Random random) {
        Behaviour any = Behaviour.any(random);
        // All other callers may have to wait for a transaction, so it must be short.
        Behaviour behaviour = kind == Kind.TRANSACTED && any.overruns() ? Behaviour.SLOW : any;
        boolean brief = behaviour.overruns() || random.nextInt(4) == 0;
        Duration lease = Duration.ofMillis(brief ? 250 : random.nextInt(500, 2_000));
        Duration limit = Duration.ofMillis(brief ? 300 : 3_000);
        return new Script(
                "s" + number % 3,
                kind,
                key,
                random.nextInt(20) == 0 ? "other" : "own",
                kind.promises(random),
                behaviour,
                lease,
                limit,
                Duration.ofMillis(random.nextInt(3) == 0 ? 0 : random.nextInt(100, 1_500)),
                kind.expires()
                        ? Duration.ofMillis(random.nextInt(1, kind == Kind.BRIEF ? 1_000 : 100))
                        : Duration.ofHours(random.nextInt(12, 7 * 24)),
                behaviour.overruns()
                        ? lease.plus(limit).plusMillis(random.nextInt(400))
                        : Duration.ofMillis(random.nextInt(1, 150)));
    }
}
