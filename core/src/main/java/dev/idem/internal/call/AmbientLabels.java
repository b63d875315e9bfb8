package dev.idem.internal.call;

import java.util.Map;
import java.util.TreeMap;

/** The labels that the calls of a thread put on their entries besides their own. */
public final class AmbientLabels {
    private static final ThreadLocal<Map<String, String>> CURRENT = ThreadLocal.withInitial(Map::of);

    private AmbientLabels() {}

    public static Map<String, String> current() {
        return CURRENT.get();
    }

    /** Sets the labels of this thread and returns the previous ones. */
    public static Map<String, String> swap(Map<String, String> labels) {
        Map<String, String> before = CURRENT.get();
        CURRENT.set(labels);
        return before;
    }

    /** Runs code of another thread with the labels of this one. */
    public static void inside(Map<String, String> labels, Runnable code) {
        Map<String, String> before = swap(labels);
        try {
            code.run();
        } finally {
            swap(before);
        }
    }

    /**
     * All labels of a call. If a name occurs several times, the call's own label wins over that of its thread, and the
     * thread's over an identity field of the same name.
     */
    static Map<String, String> over(Map<String, String> fields, Map<String, String> own) {
        Map<String, String> around = CURRENT.get();
        if (fields.isEmpty() && around.isEmpty()) {
            return own;
        } else if (own.isEmpty() && (fields.isEmpty() || around.isEmpty())) {
            return fields.isEmpty() ? around : fields;
        }
        Map<String, String> all = new TreeMap<>(fields);
        all.putAll(around);
        all.putAll(own);
        return all;
    }
}
