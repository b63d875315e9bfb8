package dev.idem.internal.key;

import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Classifies the name of a field by how often its value is likely to change. */
enum NameKind {
    /** Means "this try", whatever the value. */
    ONE_TRY,
    /** A generic id, such as {@code id} or {@code uuid}. */
    BARE_ID,
    /** Suggests a time. */
    TIME,
    OTHER;

    private static final Set<String> NAMED_FOR_ONE_TRY = Set.of(
            "timestamp",
            "ts",
            "now",
            "currenttime",
            "createdat",
            "updatedat",
            "modifiedat",
            "requestedat",
            "requesttime",
            "sentat",
            "generatedat",
            "nonce",
            "random",
            "requestid",
            "xrequestid",
            "traceid",
            "traceparent",
            "spanid",
            "correlationid",
            "toolcallid",
            "tooluseid",
            "runid",
            "attempt",
            "attemptid",
            "attemptnumber",
            "retry",
            "retrycount");

    private static final Set<String> BARE_IDS =
            Set.of("id", "uid", "uuid", "guid", "key", "token", "messageid", "callid", "invocationid", "executionid");
    private static final Pattern TIME_NAME = Pattern.compile("time|date|when|clock|epoch|at$");
    private static final int SLOTS = 256;

    // Programs use few names and use them often. Read and written without a lock: a thread that misses a name
    // classifies it again.
    private static final @Nullable Known[] KNOWN = new Known[SLOTS];

    static NameKind of(String name) {
        int slot = name.hashCode() & (SLOTS - 1);
        Known here = KNOWN[slot];
        if (here == null || !here.name.equals(name)) {
            here = new Known(name, judge(normalised(name)));
            KNOWN[slot] = here;
        }
        return here.kind;
    }

    private static NameKind judge(String name) {
        if (NAMED_FOR_ONE_TRY.contains(name)) {
            return ONE_TRY;
        }
        if (BARE_IDS.contains(name)) {
            return BARE_ID;
        }
        return TIME_NAME.matcher(name).find() ? TIME : OTHER;
    }

    private static String normalised(String name) {
        StringBuilder letters = new StringBuilder(name.length());
        for (int i = 0; i < name.length(); i++) {
            char c = name.charAt(i);
            if (c != '_' && c != '-') {
                letters.append(Character.toLowerCase(c));
            }
        }
        return letters.toString();
    }

    private record Known(String name, NameKind kind) {}
}
