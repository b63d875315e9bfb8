package dev.idem.command.score;

import java.util.List;

/**
 * One run of the command and its result.
 *
 * @param name its purpose
 * @param changes the observed changes; empty if nothing is watched
 */
record Trial(String name, List<String> words, Ended ended, Response response, List<String> changes) {
    boolean succeeded() {
        return ended.exit() == 0;
    }

    boolean changedNothing() {
        return changes.isEmpty();
    }

    /** The observation in a sentence. */
    String evidence(boolean watched) {
        String exit = ended.exit() < 0 ? "did not end in time" : "exit " + ended.exit();
        String effect = response.effect() == null
                ? (response.json() ? "no effect in its answer" : "no JSON on stdout")
                : "effect " + response.effect();
        String seen =
                watched ? (changes.isEmpty() ? "nothing changed" : String.join(", ", changes)) : "nothing watched";
        return name + ": " + exit + ", " + effect + ", " + seen;
    }
}
