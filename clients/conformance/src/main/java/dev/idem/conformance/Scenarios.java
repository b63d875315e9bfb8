package dev.idem.conformance;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** All scenarios. */
final class Scenarios {
    private Scenarios() {}

    /** All of them; {@code installed} is the path of an installed {@code idem}, if that is to be tried too. */
    static List<Scenario> all(@Nullable String installed) {
        // Those that take longest begin first.
        List<Scenario> all = new ArrayList<>(Times.all());
        all.addAll(RandomFaults.all());
        all.addAll(GivingUp.all());
        all.addAll(Deaths.all());
        all.addAll(LostMessages.all());
        all.addAll(Doubts.all());
        all.addAll(Waits.all());
        all.addAll(PlainCalls.all());
        all.addAll(OddServers.all());
        if (installed != null) {
            all.add(PlainCalls.installed(installed));
        }
        return all;
    }
}
