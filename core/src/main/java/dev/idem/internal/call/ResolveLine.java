package dev.idem.internal.call;

import dev.idem.Address;
import dev.idem.Policy;
import dev.idem.seal.SealedLedger;
import dev.idem.spi.Ledger;
import dev.idem.spi.Retention;
import java.time.Duration;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The command with which a person settles a doubt. */
public final class ResolveLine {
    private static final Pattern FILE = Pattern.compile("((?:sqlite|jsonl):.+?) \\(");
    private static final Pattern PLAIN_WORD = Pattern.compile("[A-Za-z0-9_@%+=:,./-]+");

    private ResolveLine() {}

    /** The command, with the choice at its end; empty for a ledger in memory, and for a sealed one, whose keys it needs. */
    public static Optional<String> of(Ledger ledger, Address address, Policy policy) {
        String described = ledger.describe();
        if (SealedLedger.isSealing(ledger) || described.startsWith("memory:")) {
            return Optional.empty();
        }
        Matcher file = FILE.matcher(described);
        Duration keep = policy.retention().keep();
        return Optional.of("idem resolve " + word(address.key()) + " --operation " + word(address.operation())
                + " --scope " + word(address.scope()) + " --ledger "
                + (file.lookingAt() ? word(file.group(1)) : "\"$IDEM_LEDGER\"") + " --by NAME --why REASON"
                + (keep.equals(Retention.DEFAULT.keep()) ? "" : " --ttl " + keep)
                + " --as complete --result JSON, or --as failed");
    }

    private static String word(String text) {
        return PLAIN_WORD.matcher(text).matches() ? text : "'" + text.replace("'", "'\\''") + "'";
    }
}
