package dev.idem.agent.shadow;

import dev.idem.Json;
import dev.idem.internal.json.CanonicalJson;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The differences of two shadow runs, in order. */
public final class ShadowDiff {
    /** The kind of a difference. */
    public enum Kind {
        /** Both have it. */
        SAME(' '),
        /** Only the first has it. */
        REMOVED('-'),
        /** Only the second has it. */
        ADDED('+'),
        /** Both call the tool here, with other arguments or another effect. */
        CHANGED('~');

        private final char sign;

        Kind(char sign) {
            this.sign = sign;
        }
    }

    /**
     * One place in the two runs.
     *
     * @param first its line in the first run; null where that has none
     * @param second its line in the second run; null where that has none
     */
    public record Change(
            Kind kind, @Nullable AuditLine first, @Nullable AuditLine second) {
        /** One line, with the fields that differ. */
        public String told() {
            AuditLine old = first;
            AuditLine now = second;
            if (old != null && now != null && kind == Kind.CHANGED) {
                return kind.sign + " " + now.tool() + ": " + String.join(", ", differences(old, now));
            }
            AuditLine any = now != null ? now : old;
            return kind.sign + " " + (any == null ? "" : any.summary());
        }
    }

    private final List<Change> changes;

    private ShadowDiff(List<Change> changes) {
        this.changes = List.copyOf(changes);
    }

    /** Compares the calls by tool, arguments and effect; sessions, keys and times may differ. */
    public static ShadowDiff between(List<AuditLine> first, List<AuditLine> second) {
        int[][] common = common(first, second);
        List<Change> changes = new ArrayList<>();
        List<AuditLine> removed = new ArrayList<>();
        List<AuditLine> added = new ArrayList<>();
        int i = 0;
        int j = 0;
        while (i < first.size() || j < second.size()) {
            if (i < first.size() && j < second.size() && same(first.get(i), second.get(j))) {
                flush(changes, removed, added);
                changes.add(new Change(Kind.SAME, first.get(i++), second.get(j++)));
            } else if (j == second.size() || (i < first.size() && common[i + 1][j] >= common[i][j + 1])) {
                removed.add(first.get(i++));
            } else {
                added.add(second.get(j++));
            }
        }
        flush(changes, removed, added);
        return new ShadowDiff(changes);
    }

    /** All places, also the equal ones. */
    public List<Change> all() {
        return changes;
    }

    /** The places that differ. */
    public List<Change> changes() {
        return changes.stream().filter(change -> change.kind() != Kind.SAME).toList();
    }

    /** Whether both runs would have done the same. */
    public boolean isEmpty() {
        return changes().isEmpty();
    }

    /** A line for each call, as a diff of text shows it. */
    @Override
    public String toString() {
        return String.join("\n", changes.stream().map(Change::told).toList());
    }

    /** Between two equal calls, a removed and an added call of the same tool are one change. */
    private static void flush(List<Change> changes, List<AuditLine> removed, List<AuditLine> added) {
        for (AuditLine old : removed) {
            AuditLine counterpart = added.stream()
                    .filter(now -> now.tool().equals(old.tool()))
                    .findFirst()
                    .orElse(null);
            if (counterpart == null) {
                changes.add(new Change(Kind.REMOVED, old, null));
            } else {
                added.remove(counterpart);
                changes.add(new Change(Kind.CHANGED, old, counterpart));
            }
        }
        added.forEach(now -> changes.add(new Change(Kind.ADDED, null, now)));
        removed.clear();
        added.clear();
    }

    /** The length of the longest run of calls that both have from each pair of places on. */
    private static int[][] common(List<AuditLine> first, List<AuditLine> second) {
        int[][] length = new int[first.size() + 1][second.size() + 1];
        for (int i = first.size() - 1; i >= 0; i--) {
            for (int j = second.size() - 1; j >= 0; j--) {
                length[i][j] = same(first.get(i), second.get(j))
                        ? length[i + 1][j + 1] + 1
                        : Math.max(length[i + 1][j], length[i][j + 1]);
            }
        }
        return length;
    }

    private static boolean same(AuditLine one, AuditLine other) {
        return one.call().equals(other.call());
    }

    private static List<String> differences(AuditLine old, AuditLine now) {
        List<String> differences = new ArrayList<>();
        TreeSet<String> names = new TreeSet<>(old.arguments().keySet());
        names.addAll(now.arguments().keySet());
        for (String name : names) {
            String before = shown(old.arguments(), name);
            String after = shown(now.arguments(), name);
            if (!before.equals(after)) {
                differences.add(name + " " + before + " → " + after);
            }
        }
        if (old.effect() != now.effect()) {
            differences.add(
                    "effect " + old.effect().word() + " → " + now.effect().word());
        }
        return differences;
    }

    private static String shown(Map<String, @Nullable Object> arguments, String name) {
        return arguments.containsKey(name) ? CanonicalJson.ofText(Json.write(arguments.get(name))) : "absent";
    }
}
