package dev.idem.clikit.score;

/** Nothing was run. */
final class ScoreRefused extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final String code;

    ScoreRefused(String code, String message) {
        super(message);
        this.code = code;
    }

    String code() {
        return code;
    }
}
