package dev.idem.postgresql;

import dev.idem.entry.Entry;
import dev.idem.entry.ProcessRef;
import dev.idem.ledger.Processes;
import dev.idem.ledger.Processes.Life;

/**
 * What this host knows of the processes of an entry, and the server can't. It names the entry it is about: it says
 * nothing of one that was granted again or marked since.
 */
record Judgement(long fence, int marks, boolean ownerDead, boolean childLives) {
    static Judgement of(Entry entry, Processes processes) {
        ProcessRef owner = entry.tenure().owner().process();
        ProcessRef child = entry.tenure().child();
        return new Judgement(
                entry.fence().number(),
                entry.tenure().marks().size(),
                owner != null && processes.of(owner) == Life.DEAD,
                child != null && processes.of(child) == Life.ALIVE);
    }
}
