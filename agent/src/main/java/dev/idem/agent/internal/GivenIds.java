package dev.idem.agent.internal;

import dev.idem.Address;

/** Ids that people have, of any form: one that can't be a key or a scope is hashed, and kept readable as a label. */
public final class GivenIds {
    /** The label that holds an id which was hashed. */
    public static final String LABEL = "id";

    private GivenIds() {}

    /** Whether an id can be a scope as it is. */
    public static boolean isScope(String id) {
        try {
            return new Address(id, "any", "any").scope().equals(id);
        } catch (IllegalArgumentException e) {
            return false;
        }
    }
}
