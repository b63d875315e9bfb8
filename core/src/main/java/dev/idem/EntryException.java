package dev.idem;

import org.jspecify.annotations.Nullable;

/** An answer that is no value, with the entry that explains it. */
public abstract class EntryException extends IdemException {
    private static final long serialVersionUID = 1;

    private final transient Entry entry;

    EntryException(Entry entry, String message, @Nullable Throwable cause) {
        super(entry.address(), message, cause);
        this.entry = entry;
    }

    /** The entry as it was found. */
    public Entry entry() {
        return entry;
    }
}
