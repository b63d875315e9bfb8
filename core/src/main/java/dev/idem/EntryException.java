package dev.idem;

import org.jspecify.annotations.Nullable;

/** The root of exceptions about one entry: a call that got no value. */
public abstract class EntryException extends IdemException {
    private static final long serialVersionUID = 1;

    private final transient Entry entry;

    EntryException(Entry entry, String message, @Nullable Throwable cause) {
        super(entry.address(), message, cause);
        this.entry = entry;
    }

    /** The entry as the call found it. */
    public Entry entry() {
        return entry;
    }
}
