package dev.idem.gauntlet;

/** Thrown by work that failed before its effect; a contender that can tell such failures is told of this kind. */
public final class NothingHappened extends RuntimeException {
    private static final long serialVersionUID = 1;

    NothingHappened() {
        super("refused at the door, nothing happened");
    }
}
