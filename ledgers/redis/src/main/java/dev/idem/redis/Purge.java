package dev.idem.redis;

import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Strips expired entries early. The server lets go of them by itself, a while after they expired; so a purge looks at
 * some of the entries only, and the next one goes on from there.
 */
final class Purge {
    private static final int MOST_LOOKS = 20_000;

    private final Scan scan;
    private final Predicate<byte[]> strip;
    private final ReentrantLock one = new ReentrantLock();
    private Scan.@Nullable Place place;

    /**
     * Made with {@code strip}, which says whether there was something to do.
     */
    Purge(Scan scan, Predicate<byte[]> strip) {
        this.scan = scan;
        this.strip = strip;
    }

    int run(int limit) {
        one.lock();
        try {
            return walk(limit);
        } finally {
            one.unlock();
        }
    }

    private int walk(int limit) {
        Scan.Place at = place == null ? scan.start() : place;
        // Where it fails it starts anew, among the masters there are then.
        place = null;
        int purged = 0;
        for (int looked = 0; !at.isEnd() && looked < MOST_LOOKS; ) {
            Scan.Batch batch = scan.heads(at);
            for (Scan.Item item : batch.items()) {
                if (expired(item.value(), Digits.micros(batch.now().wall())) && strip.test(item.key())) {
                    purged++;
                }
                if (purged == limit) {
                    place = at;
                    return purged;
                }
            }
            looked += batch.items().size();
            at = batch.next();
        }
        place = at.isEnd() ? null : at;
        return purged;
    }

    private static boolean expired(byte[] head, long now) {
        byte state = head.length < Layout.LEASED ? Layout.STUB : head[Layout.STATE];
        return state != Layout.STUB
                && state != Layout.IN_PROGRESS
                && state != Layout.IN_DOUBT
                && now >= Digits.read(head, Layout.SETTLED, Digits.TIME) + Digits.read(head, Layout.KEEP, Digits.TIME);
    }
}
