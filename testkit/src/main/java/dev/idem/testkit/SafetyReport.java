package dev.idem.testkit;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The effects of an agent under injected faults.
 *
 * @param effects how often each took place in the first unsafe run, or as usual if there was none
 * @param usual how often each took place in an undisturbed run
 * @param findings the problems, a line each; empty if the agent is safe to retry
 * @param disturbances the number of injected faults
 * @param stops how often the agent stopped after a fault instead of finishing, mostly in doubt
 * @param stop the reason of the first stop; empty if there was none
 */
public record SafetyReport(
        Map<String, Integer> effects,
        Map<String, Integer> usual,
        List<String> findings,
        int disturbances,
        int stops,
        String stop) {
    /** Keeps copies, in order. */
    public SafetyReport {
        effects = new LinkedHashMap<>(effects);
        usual = new LinkedHashMap<>(usual);
        findings = List.copyOf(findings);
    }

    /** Whether every effect took place as often as in an undisturbed run, or the agent stopped before it. */
    public boolean safe() {
        return findings.isEmpty();
    }

    /** A line of effects, {@code charge: 1, email: 2 ← not guarded}, then the findings, then the number of faults. */
    public String text() {
        String line = effects.entrySet().stream()
                .map(effect -> effect.getKey() + ": " + effect.getValue() + mark(effect.getKey(), effect.getValue()))
                .collect(Collectors.joining(", "));
        String tried = disturbances + " disturbances"
                + (stops == 0 ? "" : ", " + stops + " of them ended with a stop, the first with: " + stop);
        return line + "\n"
                + findings.stream().map(finding -> "  " + finding + "\n").collect(Collectors.joining()) + "  " + tried;
    }

    private String mark(String effect, int count) {
        int expected = usual.getOrDefault(effect, 0);
        if (count > expected) {
            return " ← not guarded";
        }
        return count < expected ? " ← lost" : "";
    }

    @Override
    public String toString() {
        return text();
    }

    /** Collects the results of the runs. */
    static final class Builder {
        private final Map<String, Integer> usual = new LinkedHashMap<>();
        private final Map<String, Integer> shown = new LinkedHashMap<>();
        private final Map<String, String> findings = new LinkedHashMap<>();
        private int disturbances;
        private int stops;
        private String stop = "";

        void usual(Map<String, Integer> effects) {
            usual.putAll(effects);
            shown.putAll(effects);
        }

        void ended(String disturbance, Map<String, Integer> effects, @Nullable Throwable stopped) {
            disturbances++;
            if (stopped != null && stops++ == 0) {
                stop = String.valueOf(stopped.getMessage());
            }
            Map<String, Integer> all = new LinkedHashMap<>(usual);
            all.replaceAll((effect, count) -> 0);
            all.putAll(effects);
            all.forEach((effect, count) -> judge(disturbance, effect, count, stopped == null));
        }

        private void judge(String disturbance, String effect, int count, boolean cameToItsEnd) {
            int expected = usual.getOrDefault(effect, 0);
            boolean lost = count < expected && cameToItsEnd;
            if ((count > expected || lost) && !findings.containsKey(effect)) {
                shown.put(effect, count);
                findings.put(
                        effect,
                        effect + " took effect " + count + " times instead of " + expected + " when " + disturbance
                                + (lost
                                        ? ", and the agent came to its end all the same. Act inside the operation, not after"
                                                + " it: code after a finished operation does not run again"
                                        : ". Guard it with an operation of its own"));
            }
        }

        SafetyReport build() {
            return new SafetyReport(shown, usual, new ArrayList<>(findings.values()), disturbances, stops, stop);
        }
    }
}
