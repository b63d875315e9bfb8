package dev.idem.torture.check;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The log of one key, judged line by line. */
final class KeyStory {
    private final String key;
    private final Consumer<? super Violation> report;
    private final NavigableMap<Long, Attempt> attempts = new TreeMap<>();
    private final List<Long> notExecuted = new ArrayList<>(0);
    private final Set<String> tokens = new HashSet<>(2);
    private final Set<String> identities = new HashSet<>(2);
    private final Set<Rule> reported = EnumSet.noneOf(Rule.class);
    private final Cuts cuts = new Cuts();
    /** Fences of entries that were forgotten by a caller that had not seen them complete. */
    private final Set<Long> forgottenUnawares = new HashSet<>(2);
    /** Tokens that callers got, by the fence of the attempt that made them; one between two cuts. */
    private final NavigableMap<Long, String> values = new TreeMap<>();

    private long highest;
    private long keptFailureOf;
    /** The fence of an entry of which a caller was told that it has expired. */
    private long expired;

    KeyStory(String key, Consumer<? super Violation> report) {
        this.key = key;
        this.report = report;
    }

    /**
     * A running call, with the facts that were certain when it was made.
     *
     * @param completedBy the attempt that was known to be complete; 0 for none
     * @param highest the highest known fence, of a grant or of a forget
     */
    record Open(Line.Asked asked, long completedBy, long highest) {
        /** For a call whose start is not in the log. */
        static Open unknown(Line.Began began) {
            return new Open(new Line.Asked(began.call(), began.key(), "", Set.of()), 0, 0);
        }
    }

    Open asked(Line.Asked line) {
        identities.add(line.identity());
        long last = values.isEmpty() ? 0 : values.lastKey();
        return new Open(line, last == 0 || cuts.after(last) ? 0 : last, highest);
    }

    void began(Line.Began line, Open call) {
        Attempt before = attempts.get(line.fence());
        if (before != null) {
            violated(Rule.ONE_OWNER, "fence " + line.fence() + " was given to " + before.call + " and " + line.call());
            return;
        }
        if (line.fence() <= call.highest()) {
            violated(
                    Rule.FENCES_GROW,
                    line.call() + " was given " + line.fence() + " when " + call.highest() + " was known");
        }
        highest = Math.max(highest, line.fence());
        attempts.put(
                line.fence(),
                new Attempt(line.fence(), line.call(), call.asked().promises()));
        judgeAttempts();
    }

    void effect(Line.Effect line) {
        tokens.add(line.token());
        Attempt attempt = attempts.get(line.fence());
        if (attempt == null || attempt.effect) {
            violated(Rule.ONE_OWNER, "fence " + line.fence() + " took effect for " + line.call() + " beside another");
            return;
        }
        attempt.effect = true;
        if (attempt.brief()) {
            cuts.expiring(line.fence());
        }
        judgeAttempts();
    }

    void wrote(Line.Wrote line) {
        tokens.add(line.token());
    }

    void forgetting(Line.Forgetting line) {
        cuts.forgetting(line.fence());
    }

    void forgot(Line.Forgot line) {
        cuts.forgot(line.fence(), line.done());
        if (line.done()) {
            highest = Math.max(highest, line.fence());
        }
        if (line.done() && !line.knowing()) {
            forgottenUnawares.add(line.fence());
        }
        judgeForgets();
        judgeAttempts();
    }

    void threw(Line.Threw line) {
        Attempt attempt = attempts.get(line.fence());
        if (attempt != null) {
            attempt.threwDefinite |= line.definite();
            if (!line.definite()) {
                // An entry in doubt never expires.
                cuts.staying(line.fence());
            }
        }
    }

    void probed(Line.Probed line) {
        if (!line.happened()) {
            notExecuted.add(line.fence());
        }
    }

    void answered(Line.Answered line, Open open) {
        if (line.answer().valued()) {
            valued(line, open.asked());
        } else if (line.answer() == Answer.CONFLICT) {
            conflict(line, open.asked());
        } else if (line.answer() == Answer.EXPIRED) {
            expired(line.fence(), line.call() + " was told so of " + line.fence());
        } else if (line.answer() == Answer.SURPRISE) {
            violated(Rule.NO_SURPRISES, line.call() + " was thrown " + line.said());
        } else if (line.answer() != Answer.NONE && open.completedBy() != 0 && !cuts.after(open.completedBy())) {
            violated(Rule.NOTHING_LOST, line.call() + " was made when it was complete, and answered " + line.answer());
        }
        if (line.answer() == Answer.FAILED || line.answer() == Answer.KEPT_FAILURE) {
            failed(line);
        }
    }

    private void valued(Line.Answered line, Line.Asked asked) {
        String token = line.said();
        if (!tokens.contains(token)) {
            violated(Rule.NOTHING_INVENTED, line.call() + " was given " + token);
        } else if (!Token.parse(token).identity().equals(asked.identity())) {
            violated(Rule.OWN_IDENTITY, line.call() + " asked for " + asked.identity() + " and was given " + token);
        }
        String known = valueAt(line.fence());
        if (known == null && line.answer() != Answer.UNCONFIRMED) {
            values.put(line.fence(), token);
            judgeForgets();
            judgeAttempts();
        } else if (known != null && !known.equals(token)) {
            violated(Rule.SAME_BYTES, line.call() + " was given " + token + ", others " + known);
        }
    }

    /** The value that earlier callers got for the attempt of this fence; null if there was none. */
    private @Nullable String valueAt(long fence) {
        for (Map.Entry<Long, String> each : values.entrySet()) {
            long other = each.getKey();
            if (!cuts.between(Math.min(fence, other), Math.max(fence, other))) {
                return each.getValue();
            }
        }
        return null;
    }

    private void conflict(Line.Answered line, Line.Asked asked) {
        String value = values.isEmpty() ? null : values.lastEntry().getValue();
        boolean mine = value != null
                && !cuts.after(values.lastKey())
                && tokens.contains(value)
                && Token.parse(value).identity().equals(asked.identity());
        if (identities.size() < 2 || mine) {
            violated(Rule.CONFLICTS_HAVE_A_CAUSE, line.call() + " was refused for " + asked.identity());
        }
    }

    private void expired(long fence, String how) {
        if (attempts.headMap(fence, true).values().stream().noneMatch(each -> each.effect && each.tombstoned())) {
            violated(Rule.EXPIRY_HAS_A_CAUSE, how);
        }
        expired = Math.max(expired, fence);
        judgeAttempts();
    }

    private void failed(Line.Answered line) {
        for (Attempt attempt : attempts.headMap(line.fence(), true).values()) {
            if (attempt.effect && !cuts.between(attempt.fence, line.fence())) {
                violated(
                        Rule.FAILED_MEANS_NOTHING,
                        line.call() + " was told of failure " + line.fence() + " after " + attempt);
            }
        }
        if (line.answer() == Answer.KEPT_FAILURE && keptFailureOf == 0) {
            keptFailureOf = line.fence();
            judgeAttempts();
        }
    }

    /** An entry that was forgotten without a seen completion must have none, not even by a late owner. */
    private void judgeForgets() {
        for (long fence : forgottenUnawares) {
            Long completedBy = values.floorKey(fence);
            if (completedBy != null && completedBy != 0 && !cuts.between(completedBy, fence)) {
                violated(
                        Rule.NOTHING_LOST,
                        completedBy + " was complete, and forgotten by somebody who had not seen that");
            }
        }
    }

    private void judgeAttempts() {
        for (Attempt later : attempts.values()) {
            Long completedBy = values.lowerKey(later.fence);
            if (completedBy != null && !cuts.between(completedBy, later.fence)) {
                violated(Rule.COMPLETE_IS_TERMINAL, later + ", came after " + completedBy + " was complete");
            }
            if (expired != 0 && later.fence > expired) {
                violated(Rule.COMPLETE_IS_TERMINAL, later + ", came after " + expired + " had expired");
            }
            if (keptFailureOf != 0 && later.fence > keptFailureOf) {
                violated(Rule.FAILURES_ARE_KEPT, later + ", came after failure " + keptFailureOf);
            }
            for (Attempt earlier : attempts.headMap(later.fence).values()) {
                if (!cuts.between(earlier.fence, later.fence)) {
                    judge(earlier, later);
                }
            }
        }
    }

    private void judge(Attempt earlier, Attempt later) {
        if (later.safe()) {
            return;
        }
        if (earlier.effect && later.effect) {
            violated(Rule.ONE_EFFECT, earlier + ", was followed by " + later);
        } else if (!earlier.harmless() && !foundNotExecuted(earlier.fence, later.fence)) {
            violated(Rule.NO_SILENT_RERUN, earlier + ", was followed by " + later);
        }
    }

    /** Whether a probe between the two found that the earlier attempt had not happened and no longer could. */
    private boolean foundNotExecuted(long after, long before) {
        return notExecuted.stream().anyMatch(probe -> after < probe && probe < before);
    }

    /** Judges the final state of the ledger. */
    void ended(Kept kept) {
        if (kept.state() == Kept.State.EXPIRED) {
            expired(kept.fence(), "it ends so");
        }
        boolean complete = kept.state() == Kept.State.COMPLETE;
        boolean over = complete || kept.state() == Kept.State.EXPIRED;
        boolean nothing = kept.state() == Kept.State.FAILED || kept.state() == Kept.State.ABSENT;
        if (kept.state() == Kept.State.IN_PROGRESS) {
            violated(Rule.EVERYTHING_ENDS, "ticket " + kept.fence() + " lives on though its owner is gone");
        }
        String value = values.isEmpty() || cuts.after(values.lastKey())
                ? null
                : values.lastEntry().getValue();
        if ((value != null || expired != 0) && !over) {
            violated(Rule.NOTHING_LOST, "it was complete with " + value + " and ends as " + kept.state());
        } else if (value != null && complete && !value.equals(kept.token())) {
            violated(Rule.SAME_BYTES, "it ends as " + kept.token() + "; callers were given " + value);
        } else if (complete && !tokens.contains(kept.token())) {
            violated(Rule.NOTHING_INVENTED, "it ends as " + kept.token());
        }
        if (keptFailureOf != 0 && kept.state() != Kept.State.FAILED) {
            violated(Rule.FAILURES_ARE_KEPT, "failure " + keptFailureOf + " ends as " + kept.state());
        }
        List<Attempt> last = attempts.values().stream()
                .filter(attempt -> !cuts.after(attempt.fence))
                .toList();
        if (kept.state() == Kept.State.ABSENT
                && last.stream().anyMatch(attempt -> !attempt.brief() && !attempt.tombstoned())) {
            violated(Rule.NOTHING_LOST, "there is no entry of " + last.get(last.size() - 1));
        }
        rowsEnded(kept);
        for (Attempt attempt : nothing ? last : List.<Attempt>of()) {
            if (attempt.effect) {
                violated(Rule.FAILED_MEANS_NOTHING, attempt + ", ends as " + kept.state());
            } else if (!attempt.harmless() && !foundNotExecuted(attempt.fence, Long.MAX_VALUE)) {
                violated(Rule.DOUBT_IS_KEPT, attempt + ", of unknown outcome, ends as " + kept.state());
            }
        }
    }

    private void rowsEnded(Kept kept) {
        if (attempts.values().stream().noneMatch(Attempt::transacted)) {
            return;
        }
        if (kept.rows().size() > 1) {
            violated(Rule.ONE_EFFECT, "there are " + kept.rows().size() + " rows: " + kept.rows());
        }
        List<String> owed = kept.state() == Kept.State.COMPLETE ? List.of(kept.token()) : List.of();
        if (!kept.rows().equals(owed)) {
            violated(
                    Rule.ROWS_AND_ENTRY,
                    "it ends as " + kept.state() + " with " + kept.token() + ", and its rows are " + kept.rows());
        }
    }

    private void violated(Rule rule, String what) {
        if (reported.add(rule)) {
            report.accept(new Violation(rule, key, what));
        }
    }
}
