package dev.idem.mcpsdk.planted;

import dev.idem.internal.key.Identity;

/** Breaks a rule, so that the rule is seen to go red. */
public final class AdapterThatUsesAnUnexportedPackage {
    public final Class<?> type = Identity.class;
}
