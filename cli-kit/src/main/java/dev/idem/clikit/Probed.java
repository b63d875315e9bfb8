package dev.idem.clikit;

import dev.idem.Entry;
import dev.idem.Probe;
import org.jspecify.annotations.Nullable;

/** A command that can ask the outside world whether an attempt in doubt took effect. */
public interface Probed {
    /**
     * Whether the doubted attempt took effect; what it would have returned, if so.
     *
     * @param doubted the entry, whose key was handed to the outside world
     */
    Probe.Verdict<? extends @Nullable Object> probe(Entry doubted) throws Exception;
}
