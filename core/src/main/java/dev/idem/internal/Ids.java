package dev.idem.internal;

import dev.idem.Key;
import dev.idem.spi.Labels;
import java.util.Map;
import java.util.TreeMap;

/** Turns external ids of any form into keys. */
public final class Ids {
    /** The label that keeps an id readable where the key is only a digest of it. */
    public static final String LABEL = "id";

    private Ids() {}

    /** A copy of the plan for this id. */
    public static Plan with(Plan plan, String id) {
        Plan copy = plan.copy();
        copy.key = Key.ofId(id).value();
        if (!copy.key.equals(id)) {
            Map<String, String> labels = new TreeMap<>(copy.labels);
            labels.putIfAbsent(LABEL, Labels.value(id));
            copy.labels = labels;
        }
        return copy;
    }
}
