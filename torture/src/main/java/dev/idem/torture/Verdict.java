package dev.idem.torture;

import dev.idem.torture.check.Violation;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * The result of a run.
 *
 * @param counts of calls, effects, answers, deeds and of the states that entries have in the end
 * @param evidence the folder with the log and the final state of the ledger; only of a run that broke a rule
 */
public record Verdict(List<Violation> violations, Map<String, Integer> counts, Path evidence) {
    /** Whether every rule was kept. */
    public boolean good() {
        return violations.isEmpty();
    }
}
