package dev.idem.agent.internal;

import dev.idem.entry.Address;

/** Ids that people have, of any form: one that can't be a key or a scope is hashed, and kept readable as a label. */
public final class GivenIds {
    /** The label that holds an id which was hashed. */
    public static final String LABEL = "id";

    private static final int LONGEST = 255;

    private GivenIds() {}

    /** Whether an id can be a scope as it is. */
    public static boolean isScope(String id) {
        try {
            return new Address(id, "any", "any").scope().equals(id);
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    /** An id as the value of a label: what can't be printed is shown as a question mark, and a long one is cut. */
    public static String readable(String id) {
        StringBuilder text = new StringBuilder();
        id.codePoints()
                .map(c -> Character.isISOControl(c) || Character.getType(c) == Character.SURROGATE ? '?' : c)
                .takeWhile(c -> text.length() + Character.charCount(c) <= LONGEST)
                .forEach(text::appendCodePoint);
        return text.toString();
    }
}
