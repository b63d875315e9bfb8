package dev.idem.torture.subject;

import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;

/** The faults that a run injects. */
public enum Deed {
    /** Kills a worker at once. */
    KILL,
    /** Pauses a worker past its leases, then resumes it. */
    STOP,
    /** Steps the wall clock of a worker. */
    CLOCK,
    /** Gives a worker no room for its files to grow. */
    FULL,
    /** Ends the server as a crash would, and starts it again. */
    RESTART,
    /** Closes all connections. */
    CUT,
    /** Delays all messages. */
    DELAY,
    /** Passes requests on, but loses the answers. */
    SWALLOW,
    /** Lets the replica of a server take over while it lags behind; the old master comes back as its replica. */
    FAILOVER,
    /** Steps the wall clock of the server. Only on demand: the server needs another library for its time. */
    JUMP;

    /** The word on the command line. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Reads words with commas between them. */
    public static Set<Deed> parse(String words) {
        Set<Deed> deeds = EnumSet.noneOf(Deed.class);
        for (String word : words.split(",", -1)) {
            deeds.add(valueOf(word.strip().toUpperCase(Locale.ROOT)));
        }
        return deeds;
    }
}
