package dev.idem.agent.check;

import java.util.Locale;

/** How bad a finding is, the worst first. */
public enum Severity {
    /** It will go wrong: a retry gets another key, or the wrong answer. */
    ERROR,
    /** It may go wrong, or a person has to resolve it. */
    WARNING,
    /** Something to know. */
    NOTE;

    /** The word used in reports, which is SARIF's too. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
