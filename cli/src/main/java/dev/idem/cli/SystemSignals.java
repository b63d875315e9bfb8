package dev.idem.cli;

import sun.misc.Signal;

/** The signals of the operating system, through the one class of the JDK that tells which it was. */
@SuppressWarnings("sunapi")
final class SystemSignals {
    private SystemSignals() {}

    /** Sends INT, TERM and HUP there; those that were ignored when this program started stay ignored. */
    static void sendTo(Signals signals) {
        for (String name : new String[] {"INT", "TERM", "HUP"}) {
            try {
                Signal.handle(new Signal(name), caught -> signals.receive(caught.getName(), caught.getNumber()));
            } catch (IllegalArgumentException e) {
                // Not a signal of this system, or reserved by the virtual machine: its own way of ending applies.
                continue;
            }
        }
    }
}
