package dev.idem.gauntlet;

/** Thrown by work that failed before its effect; declared as definite to contenders that support this. */
public final class NothingHappened extends RuntimeException {
    private static final long serialVersionUID = 1;

    NothingHappened() {
        super("refused at the door, nothing happened");
    }
}
