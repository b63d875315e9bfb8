package dev.idem.command.score;

/** It could not be graded: the words make no sense, or the command can't be run or watched. */
public final class ScoreRefused extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final String code;

    ScoreRefused(String code, String message) {
        super(message);
        this.code = code;
    }

    /** A stable word for programs. */
    public String code() {
        return code;
    }
}
