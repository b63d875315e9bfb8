package dev.idem.agent.provider;

/** The place of a provider's key. */
public enum KeyPlace {
    /** In a header of the request. */
    HEADER,
    /** In a field of the request's body, or an argument of the call. */
    FIELD,
    /** None: it takes no keys. */
    NONE
}
