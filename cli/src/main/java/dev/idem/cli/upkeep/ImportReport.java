package dev.idem.cli.upkeep;

import dev.idem.Entry;
import dev.idem.LedgerException;
import dev.idem.State;
import dev.idem.command.Answer;
import dev.idem.command.ExitCode;
import dev.idem.spi.Settlement;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Counts the outcomes of the lines of an import, and names the missing entries. */
final class ImportReport {
    private static final int MOST_NAMED = 100;

    private final ImportFile file;
    private final boolean dry;
    private final List<Map<String, Object>> leftAlone = new ArrayList<>();
    private long created;
    private long present;
    private long conflicts;
    private long different;

    ImportReport(ImportFile file, boolean dry) {
        this.file = file;
        this.dry = dry;
    }

    boolean dry() {
        return dry;
    }

    void created() {
        created++;
    }

    void present() {
        present++;
    }

    /** The key is used for something else here. */
    void conflict(Entry there) {
        conflicts++;
        name(there, "its key is used for something else here");
    }

    /** The existing entry allows more than the exported one would. */
    void differs(Entry there, Imported entry) {
        different++;
        name(there, "it is " + there.state().word() + " here, and the file says " + ending(entry));
    }

    private static String ending(Imported entry) {
        if (entry.settlement() instanceof Settlement.Completed) {
            return State.COMPLETE.word();
        }
        return (entry.settlement() instanceof Settlement.Doubtful ? State.IN_DOUBT : State.FAILED).word();
    }

    private void name(Entry there, String why) {
        if (leftAlone.size() < MOST_NAMED) {
            leftAlone.add(Map.of(
                    "scope", there.address().scope(),
                    "operation", there.address().operation(),
                    "key", there.address().key(),
                    "reason", why));
        }
    }

    /** All lines were processed. */
    Answer whole() {
        long refused = file.refused().size();
        if (conflicts + different + refused == 0 && !file.cutOff()) {
            return finished(Answer.ok(data()));
        }
        List<String> missing = new ArrayList<>();
        add(missing, refused, "lines can't be read");
        add(missing, conflicts, "keys are used for something else here");
        add(missing, different, "entries have another state here");
        if (file.cutOff()) {
            missing.add("the export was interrupted");
        }
        String message = (dry ? "not all would be taken over: " : "not all was taken over: ")
                + String.join(", ", missing)
                + first();
        String code =
                conflicts > 0 ? "CONFLICT" : refused > 0 ? "REFUSED_LINES" : different > 0 ? "DIFFERENT" : "CUT_OFF";
        return finished(Answer.no(ExitCode.PARTIAL_FAILURE, code, message)
                .fix("see data.refused and data.left_alone; then make the same call again")
                .data(data()));
    }

    private static void add(List<String> missing, long count, String what) {
        if (count > 0) {
            missing.add(count + " " + what);
        }
    }

    /** The first missing entry, for people. */
    private String first() {
        if (!file.refused().isEmpty()) {
            ImportFile.Refused refused = file.refused().get(0);
            return ". Line " + refused.line() + ": " + refused.why();
        }
        if (leftAlone.isEmpty()) {
            return "";
        }
        Map<String, Object> entry = leftAlone.get(0);
        return ". " + entry.get("scope") + "/" + entry.get("operation") + "/" + entry.get("key") + ": "
                + entry.get("reason");
    }

    /** A signal has ended the import. */
    Answer interrupted(int exit) {
        return told(Answer.cancelled(exit, true, "ended by a signal: " + missing())
                .fix("make the same call again; it does the rest")
                .data(data()));
    }

    /** An error of the ledger has ended the import. */
    Answer failed(LedgerException e) {
        return told(Answer.noLedger(e, missing() + ". The ledger can't be used")
                .fix("make the same call again; it does the rest")
                .data(data()));
    }

    private String missing() {
        return left() + " of " + file.entries().size()
                + " entries are not taken over yet. Make the same call again to go on";
    }

    private long left() {
        return file.entries().size() - created - present - conflicts - different;
    }

    private Answer finished(Answer answer) {
        told(answer);
        long bare = file.entries().stream().filter(Imported::lacksResult).count();
        if (bare > 0) {
            answer.warn(
                    "RESULTS_MISSING",
                    bare + " results are not in the file: duplicates will be told that it is done, and get no result. "
                            + "Export with --with-results to keep them");
        }
        if (file.cutOff()) {
            answer.warn("CUT_OFF", "the export was interrupted when it wrote this file: entries are missing");
        } else if (file.lacksEnd()) {
            answer.warn(
                    "NO_END",
                    "the file has no last line of an export: if the export was cut off, entries are missing. Export "
                            + "into a file, without --text");
        }
        return file.torn() ? answer.warn("TORN_LINE", "the last line was cut off, and left out") : answer;
    }

    private Answer told(Answer answer) {
        return answer.text((dry ? "would take over " : "took over ") + created
                + (created == 1 ? " entry; " : " entries; ") + present + " are there already, " + conflicts
                + " are there with another fingerprint, " + different + " with another state, " + file.expired()
                + " have expired, " + file.refused().size() + " lines were refused\n");
    }

    private Map<String, @Nullable Object> data() {
        Map<String, @Nullable Object> data = new LinkedHashMap<>();
        data.put("effect", created == 0 ? "noop" : dry ? "would_create" : "created");
        data.put("imported", created);
        data.put("already_there", present);
        data.put("conflicts", conflicts);
        data.put("different", different);
        data.put("expired", file.expired());
        data.put("missing", left());
        data.put("left_alone", leftAlone);
        List<Map<String, Object>> refused = new ArrayList<>();
        file.refused().stream()
                .limit(MOST_NAMED)
                .forEach(line -> refused.add(Map.of("line", line.line(), "reason", line.why())));
        data.put("refused", refused);
        data.put("refused_lines", (long) file.refused().size());
        return data;
    }
}
