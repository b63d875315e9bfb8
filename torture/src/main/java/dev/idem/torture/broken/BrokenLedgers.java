package dev.idem.torture.broken;

import dev.idem.spi.Ledger;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.UnaryOperator;

/** The ledgers that are broken on purpose, by name. */
public final class BrokenLedgers {
    private static final Map<String, UnaryOperator<Ledger>> ALL = new TreeMap<>(Map.of(
            "fenceless", FencelessLedger::new,
            "laundering", LaunderingLedger::new,
            "forgetful", ForgetfulLedger::new,
            "check-then-act", CheckThenActLedger::new,
            "trusting", TrustingLedger::new,
            "rerunning", RerunningLedger::new,
            "tombless", TomblessLedger::new,
            "rowless", RowlessLedger::new,
            "unwritten", UnwrittenLedger::new));

    private BrokenLedgers() {}

    /** The values of {@code --broken}. */
    public static Set<String> names() {
        return new TreeSet<>(ALL.keySet());
    }

    /** The ledger broken as named; an empty name leaves it as it is. */
    public static Ledger around(Ledger ledger, String name) {
        return name.isEmpty()
                ? ledger
                : ALL.getOrDefault(name, UnaryOperator.identity()).apply(ledger);
    }
}
