package dev.idem.command.score;

import dev.idem.command.Shell;
import java.util.ArrayList;
import java.util.List;

/** Runs the trials, the harmless one first, and stops before a trial that would only do more harm. */
public final class Grader {
    private final ScoreOptions options;
    private final String key;
    private final ChangedCommand other;

    /**
     * Prepares the trials without running anything.
     *
     * @param key the one key of all trials; never used before
     * @throws ScoreRefused if the command has no argument that could be changed
     */
    public Grader(ScoreOptions options, String key) {
        this.options = options;
        this.key = key;
        this.other = ChangedCommand.other(options);
    }

    /** The command lines of all trials, for people to check first. */
    public List<String> lines() {
        return List.of(
                Shell.line(dryWords()),
                Shell.line(withKey()) + "   (twice)",
                Shell.line(otherWithKey()),
                Shell.line(options.command()) + "   (twice, unless it is refused)");
    }

    /**
     * Really runs the command.
     *
     * @throws ScoreRefused if it can't be started or observed, or the thread is interrupted
     */
    public Grade grade() {
        Trial dry = run("the dry run", dryWords());
        Trial first = run("the first call", withKey());
        Trial second = run("the second call with the same key", withKey());
        List<Check> checks = new ArrayList<>();
        checks.addAll(once(first, second));
        checks.addAll(told(first, second));
        Grade soFar = new Grade(checks);
        // If the key does not protect, further calls would repeat the harm and could not raise the score.
        if (soFar.reached(1) && soFar.reached(2)) {
            checks.addAll(enforced(dry));
        } else {
            checks.add(dryRun(dry));
        }
        return new Grade(checks);
    }

    private List<Check> once(Trial first, Trial second) {
        boolean sighted = options.watches() && !first.changedNothing();
        boolean noMore = sighted ? second.changedNothing() : second.response().noop();
        return List.of(
                new Check(
                        1,
                        "a call with a key succeeds",
                        first.succeeded(),
                        evidence(first),
                        "accept " + options.keyOption() + ", and end with exit 0"),
                new Check(
                        1,
                        "a retry with the same key succeeds and does nothing more",
                        second.succeeded() && noMore,
                        evidence(second) + (sighted ? "" : "; only its own answer shows it"),
                        sighted
                                ? "keep the key with the result, and answer a retry from there"
                                : "say effect noop on a retry; or give --watch or --probe, so that it can be seen"));
    }

    private List<Check> told(Trial first, Trial second) {
        return List.of(
                new Check(
                        2,
                        "the answer says what was done",
                        first.response().changed(),
                        evidence(first),
                        "answer with one JSON object and an effect: created, updated or deleted"),
                new Check(
                        2,
                        "the answer to a retry says noop",
                        second.response().noop(),
                        evidence(second),
                        "answer a retry with effect noop"));
    }

    private List<Check> enforced(Trial dry) {
        Trial swapped = run("the same key with another payload (" + other.description() + ")", otherWithKey());
        Trial bare = run("a call without a key", options.command());
        boolean refused = !bare.succeeded() && bare.changedNothing();
        Trial again = refused ? bare : run("the same again without a key", options.command());
        boolean derived = again.succeeded() && again.response().noop() && again.changedNothing();
        return List.of(
                dryRun(dry),
                new Check(
                        3,
                        "a key can't be used for something else",
                        !swapped.succeeded() && swapped.changedNothing(),
                        evidence(swapped),
                        "refuse a key that comes with other arguments, with exit 6, and do nothing"),
                new Check(
                        3,
                        "nothing runs unprotected",
                        refused || derived,
                        evidence(again),
                        "demand a key, or derive one, so that no call runs without"));
    }

    private Check dryRun(Trial dry) {
        return new Check(
                3,
                "a dry run says what would be done, and does nothing",
                dry.succeeded() && dry.response().would() && dry.changedNothing(),
                evidence(dry),
                "add --dry-run to every mutating command: effect would_create, would_update or would_delete");
    }

    private String evidence(Trial trial) {
        return trial.evidence(options.watches());
    }

    private Trial run(String name, List<String> words) {
        Snapshot before = Snapshot.look(options);
        Ended ended = Ended.of(words, options.timeout());
        return new Trial(
                name,
                words,
                ended,
                Response.of(ended.stdout()),
                Snapshot.look(options).since(before));
    }

    /** With a key of its own: a program that ignores the dry run must not use up the key of the other trials. */
    private List<String> dryWords() {
        return added(options.command(), options.keyOption(), key + "-dry", "--dry-run");
    }

    private List<String> withKey() {
        return added(options.command(), options.keyOption(), key);
    }

    private List<String> otherWithKey() {
        return added(other.command(), options.keyOption(), key);
    }

    /** The command with more words, before a {@code --} if it has one. */
    private static List<String> added(List<String> command, String... more) {
        List<String> words = new ArrayList<>(command);
        int end = words.indexOf("--");
        words.addAll(end < 0 ? words.size() : end, List.of(more));
        return words;
    }
}
