package dev.idem.http.webhook;

/** Why a request was refused, with the HTTP status that fits. */
public enum Reason {
    /** A header that the sender always sends is absent or empty. */
    MISSING_HEADER(401),
    /** A header that decides came more than once. */
    DUPLICATE_HEADER(400),
    /** A header that decides is longer than the limit. */
    HEADER_TOO_LARGE(431),
    /** A header that decides does not have the sender's format. */
    MALFORMED_HEADER(400),
    /** The body is longer than the limit. */
    BODY_TOO_LARGE(413),
    /** The sender signs the public URL, and the request was built without it. */
    MISSING_URL(500),
    /** No signature fits any secret. */
    WRONG_SIGNATURE(401),
    /** The signature is right, and its time is too long ago. */
    TOO_OLD(401),
    /** The signature is right, and its time is too far in the future. */
    IN_THE_FUTURE(401),
    /** The signature is right, and the body is not the list of events that the sender announces. */
    MALFORMED_BODY(400);

    private final int status;

    Reason(int status) {
        this.status = status;
    }

    /** The status to answer with. */
    public int status() {
        return status;
    }
}
