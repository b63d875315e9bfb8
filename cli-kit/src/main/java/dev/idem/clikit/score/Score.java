package dev.idem.clikit.score;

/** Placeholder. */
public final class Score {
    private Score() {}
}
