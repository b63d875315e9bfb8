package dev.idem.torture.check;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;

/** Judges a run line by line, and by the final state of the ledger. Not thread-safe. */
public final class Checker {
    private final Map<String, KeyStory> stories = new HashMap<>();
    private final Map<String, KeyStory.Open> open = new HashMap<>();
    private final List<Violation> violations = new ArrayList<>();

    /** A new checker. */
    public Checker() {}

    /** Takes the next line of the log. */
    public void accept(Line line) {
        KeyStory story = stories.computeIfAbsent(line.key(), key -> new KeyStory(key, violations::add));
        if (line instanceof Line.Asked asked) {
            open.put(asked.call(), story.asked(asked));
        } else if (line instanceof Line.Began began) {
            KeyStory.Open call = open.get(began.call());
            story.began(began, call == null ? KeyStory.Open.unknown(began) : call);
        } else if (line instanceof Line.Effect effect) {
            story.effect(effect);
        } else if (line instanceof Line.Threw threw) {
            story.threw(threw);
        } else if (line instanceof Line.Probed probed) {
            story.probed(probed);
        } else if (line instanceof Line.Wrote wrote) {
            story.wrote(wrote);
        } else if (line instanceof Line.Forgetting forgetting) {
            story.forgetting(forgetting);
        } else if (line instanceof Line.Forgot forgot) {
            story.forgot(forgot);
        } else if (line instanceof Line.Answered answered) {
            KeyStory.Open call = open.remove(answered.call());
            if (call != null) {
                story.answered(answered, call);
            }
        }
    }

    /** Takes the final state of each key. */
    public void finish(Function<? super String, Kept> ledger) {
        stories.forEach((key, story) -> story.ended(ledger.apply(key)));
    }

    /** Adds a violation that only the driver can see. */
    public void report(Violation violation) {
        violations.add(violation);
    }

    /** The keys of the log, in order. */
    public Set<String> keys() {
        return new TreeSet<>(stories.keySet());
    }

    /** The violations so far. */
    public List<Violation> violations() {
        return List.copyOf(violations);
    }
}
