package dev.idem.command;

import java.util.function.ObjIntConsumer;
import sun.misc.Signal;

/**
 * The signals of the operating system, through the only JDK class that reports which signal came. It is compiled
 * separately (see the pom), because the compiler warns about that class.
 */
public final class SystemSignals {
    private SystemSignals() {}

    /** Sends INT, TERM and HUP to a receiver, by name and number. Signals ignored at the start stay ignored. */
    public static void sendTo(ObjIntConsumer<String> receiver) {
        for (String name : new String[] {"INT", "TERM", "HUP"}) {
            try {
                Signal.handle(new Signal(name), caught -> receiver.accept(caught.getName(), caught.getNumber()));
            } catch (IllegalArgumentException e) {
                // This system has no such signal, or the JVM reserves it: it then ends the process as usual.
                continue;
            }
        }
    }
}
