package dev.idem.torture.world;

import dev.idem.torture.check.Line;
import java.util.HashMap;
import java.util.Map;

/**
 * The effects in the world. It remembers the fence of each probe that was answered "not happened", and refuses later
 * effects with a lower fence: only then is "and no longer can" true for a process that was paused.
 */
final class Effects {
    private final Map<String, Key> keys = new HashMap<>();

    /** The log line, and the answer to the worker. */
    record Reply(Line line, String answer) {}

    private static final class Key {
        String newest = "";
        long newestFence;
        long barrier;
    }

    Reply of(Line line) {
        if (line instanceof Line.Effect effect) {
            return happen(effect);
        } else if (line instanceof Line.Probed probed) {
            return probe(probed);
        }
        return new Reply(line, WorldClient.OK);
    }

    private Reply happen(Line.Effect line) {
        Key key = keys.computeIfAbsent(line.key(), name -> new Key());
        if (line.fence() < key.barrier) {
            return new Reply(new Line.Refused(line.call(), line.key(), line.fence()), WorldClient.REFUSED);
        }
        if (line.fence() >= key.newestFence) {
            key.newest = line.token();
            key.newestFence = line.fence();
        }
        return new Reply(line, WorldClient.OK);
    }

    private Reply probe(Line.Probed line) {
        Key key = keys.computeIfAbsent(line.key(), name -> new Key());
        boolean happened = !key.newest.isEmpty();
        if (!happened) {
            key.barrier = Math.max(key.barrier, line.fence());
        }
        return new Reply(
                new Line.Probed(line.call(), line.key(), line.fence(), happened),
                happened ? key.newest : WorldClient.NOTHING);
    }
}
