package dev.idem.clikit;

import dev.idem.Entry;
import dev.idem.Probe;
import org.jspecify.annotations.Nullable;

/** A command that can ask the remote system whether an attempt in doubt took effect. */
public interface Probed {
    /**
     * Whether the doubted attempt took effect, and its result if so.
     *
     * @param doubted the entry, whose key the remote system got
     */
    Probe.Verdict<? extends @Nullable Object> probe(Entry doubted) throws Exception;
}
