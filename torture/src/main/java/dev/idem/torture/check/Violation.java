package dev.idem.torture.check;

/** A rule that was broken, and by what. */
public record Violation(Rule rule, String key, String what) {
    @Override
    public String toString() {
        return rule + " " + key + ": " + what + " (" + rule.words() + ")";
    }
}
