package dev.idem.command.score;

/** The command can't be graded: the options make no sense, or it can't be run or observed. */
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
