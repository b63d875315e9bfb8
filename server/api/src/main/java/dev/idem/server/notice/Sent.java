package dev.idem.server.notice;

/**
 * How the sending of a message ended.
 *
 * @param why in a few words, without addresses and secrets
 */
record Sent(Fate fate, String why) {
    enum Fate {
        ARRIVED,
        /** Nothing was sent, so another try does no harm. */
        NOT_SENT,
        /** The receiver has said no. */
        REFUSED,
        /** It may have arrived. */
        UNKNOWN,
        /** The receiver wants nothing more. */
        GONE
    }

    static Sent of(Fate fate, String why) {
        return new Sent(fate, why);
    }
}
