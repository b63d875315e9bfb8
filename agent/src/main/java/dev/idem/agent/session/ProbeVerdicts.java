package dev.idem.agent.session;

import dev.idem.Probe.Happened;
import dev.idem.Probe.NotExecuted;
import dev.idem.Probe.Verdict;
import org.jspecify.annotations.Nullable;

/** Gives a probe's verdict the type that a tool's operation has. */
final class ProbeVerdicts {
    private ProbeVerdicts() {}

    static Verdict<@Nullable Object> asObject(Verdict<? extends @Nullable Object> verdict) {
        if (verdict instanceof Happened<? extends @Nullable Object> happened) {
            return Verdict.happened(happened.result());
        }
        return verdict instanceof NotExecuted<?> ? Verdict.notExecuted() : Verdict.unknown();
    }
}
