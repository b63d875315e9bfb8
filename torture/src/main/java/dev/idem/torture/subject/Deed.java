package dev.idem.torture.subject;

import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;

/** What is done to a run. */
public enum Deed {
    /** Ends a worker without a chance to say or write anything more. */
    KILL,
    /** Stops a worker past its leases, and lets it go on. */
    STOP,
    /** Steps the wall clock of a worker. */
    CLOCK,
    /** Gives a worker no room for its files to grow. */
    FULL,
    /** Ends the server as a crash would, and starts it again. */
    RESTART,
    /** Closes all connections. */
    CUT,
    /** Lets what is sent take its time. */
    DELAY,
    /** Lets requests through, and no answers. */
    SWALLOW;

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
