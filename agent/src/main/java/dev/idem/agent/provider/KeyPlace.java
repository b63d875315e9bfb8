package dev.idem.agent.provider;

/** Where a provider wants its key. */
public enum KeyPlace {
    /** In a header of the request. */
    HEADER,
    /** In a field of the request's body, or an argument of the call. */
    FIELD,
    /** Nowhere: it knows no keys. */
    NONE
}
