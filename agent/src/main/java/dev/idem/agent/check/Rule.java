package dev.idem.agent.check;

import java.util.Locale;

/** The rules that tools are checked against. */
public enum Rule {
    /** A tool has no declared side effect, and its name says that it acts. */
    UNTAGGED_ACTION(Severity.WARNING),
    /** A tool is declared as a READ, and its name says that it acts. */
    READ_THAT_ACTS(Severity.ERROR),
    /** A WRITE has neither a probe nor a remote that knows its key: a lost response ends with a person. */
    WRITE_WITHOUT_RECOVERY(Severity.WARNING),
    /** A field that changes with every try is part of the key. */
    VOLATILE_IDENTITY(Severity.ERROR),
    /** Text that a model rewords is part of the key. */
    REWORDED_IDENTITY(Severity.WARNING),
    /** A field is named that the input does not have. */
    UNKNOWN_FIELD(Severity.ERROR),
    /** All tasks would share their keys, or a restart would find none of them. */
    GLOBAL_SCOPE(Severity.ERROR),
    /** Results are kept for longer than the remote remembers keys. */
    RETENTION_OUTLIVES_REMOTE(Severity.WARNING),
    /** A destructive tool needs no approval. */
    DESTRUCTIVE_WITHOUT_APPROVAL(Severity.WARNING),
    /** A class calls its own guarded method: that call goes past the session or the proxy that guards it. */
    SELF_CALL(Severity.WARNING),
    /** A class or a definition could not be looked at. */
    UNREADABLE(Severity.WARNING);

    private final Severity severity;

    Rule(Severity severity) {
        this.severity = severity;
    }

    /** The id in reports: {@code volatile-identity}. */
    public String id() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** The usual severity. */
    public Severity severity() {
        return severity;
    }

    /** A short title. */
    public String title() {
        return id().replace('-', ' ');
    }
}
