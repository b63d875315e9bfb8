package dev.idem.cli.around;

import java.util.function.ObjIntConsumer;
import sun.misc.Signal;

/**
 * The signals of the operating system, through the one class of the JDK that tells which it was. Compiled apart from
 * the rest, since the compiler warns of that class and the warning can't be switched off any other way.
 */
public final class SystemSignals {
    private SystemSignals() {}

    /** Sends INT, TERM and HUP there, by name and number; those that were ignored at the start stay ignored. */
    public static void sendTo(ObjIntConsumer<String> receiver) {
        for (String name : new String[] {"INT", "TERM", "HUP"}) {
            try {
                Signal.handle(new Signal(name), caught -> receiver.accept(caught.getName(), caught.getNumber()));
            } catch (IllegalArgumentException e) {
                // Not a signal of this system, or kept by the virtual machine: its own way of ending applies.
                continue;
            }
        }
    }
}
