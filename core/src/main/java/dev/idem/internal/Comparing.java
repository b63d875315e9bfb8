package dev.idem.internal;

import dev.idem.Entry;
import dev.idem.Warning;
import java.util.ArrayList;
import java.util.List;

/** Compares a duplicate with the entry that answers it. */
final class Comparing {
    private Comparing() {}

    /** The warnings about the difference to the entry, and about the call itself. */
    static List<Warning> warnings(Subject subject, Entry entry) {
        boolean reworded = subject.fingerprints().rewordedFrom(entry.fingerprints());
        boolean incomparable = subject.fingerprints().incomparableTo(entry.fingerprints());
        if (!reworded && !incomparable) {
            return subject.warnings();
        }
        List<Warning> warnings = new ArrayList<>(subject.warnings());
        if (reworded) {
            warnings.add(new Warning(
                    Warning.Code.REWORDED,
                    "the content differs from that of the first call; the first call's result is given"));
        }
        if (incomparable) {
            warnings.add(new Warning(
                    Warning.Code.NOT_COMPARED,
                    "the entry or the call has no fingerprint, so nothing shows that they are the same work"));
        }
        return warnings;
    }
}
