package dev.idem.server.notice;

/** Why a call needs a person. */
enum Kind {
    IN_DOUBT("in_doubt", "is in doubt"),
    HELD("held", "waits for an approval"),
    GIVEN_UP("given_up", "was given up");

    private final String word;
    private final String told;

    Kind(String word, String told) {
        this.word = word;
        this.told = told;
    }

    String word() {
        return word;
    }

    /** The end of a sentence that begins with the operation. */
    String told() {
        return told;
    }
}
