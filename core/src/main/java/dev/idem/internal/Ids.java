package dev.idem.internal;

import dev.idem.key.Key;
import java.util.Map;
import java.util.TreeMap;

/** Ids from outside, of any form, as keys. */
public final class Ids {
    /** The label that keeps an id readable where the key is only a digest of it. */
    public static final String LABEL = "id";

    private static final int LONGEST_LABEL = 255;

    private Ids() {}

    /** A copy of the plan for this id. */
    public static Plan with(Plan plan, String id) {
        Plan copy = plan.copy();
        copy.key = Key.ofId(id).value();
        if (!copy.key.equals(id)) {
            Map<String, String> labels = new TreeMap<>(copy.labels);
            labels.putIfAbsent(LABEL, label(id));
            copy.labels = labels;
        }
        return copy;
    }

    /** An id as the value of a label: cut where it is too long, without control characters and half characters. */
    public static String label(String id) {
        StringBuilder shown = new StringBuilder();
        id.codePoints()
                .map(c -> Character.isISOControl(c) || (c >= 0xD800 && c <= 0xDFFF) ? '?' : c)
                .limit(LONGEST_LABEL)
                .forEach(c -> {
                    if (shown.length() + Character.charCount(c) <= LONGEST_LABEL) {
                        shown.appendCodePoint(c);
                    }
                });
        return shown.toString();
    }
}
