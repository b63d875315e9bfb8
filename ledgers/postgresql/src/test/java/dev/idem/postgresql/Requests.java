package dev.idem.postgresql;

import dev.idem.entry.Address;
import dev.idem.entry.AttemptId;
import dev.idem.entry.Fingerprints;
import dev.idem.entry.Owner;
import dev.idem.entry.Ticket;
import dev.idem.ledger.Claim;
import dev.idem.ledger.ClaimRequest;
import dev.idem.ledger.Host;
import dev.idem.ledger.Ledger;
import dev.idem.ledger.LedgerContext;
import java.util.UUID;

/** Requests to test with. */
final class Requests {
    /** The clocks and processes of the host the tests run on. */
    static final LedgerContext HERE = LedgerContext.ofHost(Host.system());

    private Requests() {}

    static Address address(String key) {
        return new Address("shop", "charge", key);
    }

    /** A fresh claim of a key. */
    static ClaimRequest request(String key) {
        UUID id = UUID.randomUUID();
        return ClaimRequest.of(
                new AttemptId(id.getMostSignificantBits(), id.getLeastSignificantBits()),
                address(key),
                new Fingerprints("1d".repeat(32), null),
                Owner.named("tester"));
    }

    /** Claims a key and insists on the ticket. */
    static Ticket take(Ledger ledger, String key) {
        return ((Claim.Granted) ledger.claim(request(key))).ticket();
    }
}
