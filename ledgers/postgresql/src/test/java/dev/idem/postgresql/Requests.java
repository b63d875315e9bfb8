package dev.idem.postgresql;

import dev.idem.Address;
import dev.idem.spi.AttemptId;
import dev.idem.spi.Claim;
import dev.idem.spi.ClaimRequest;
import dev.idem.spi.Fingerprints;
import dev.idem.spi.Host;
import dev.idem.spi.Ledger;
import dev.idem.spi.LedgerContext;
import dev.idem.spi.Owner;
import dev.idem.spi.Ticket;
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
        return request(address(key));
    }

    private static ClaimRequest request(Address address) {
        UUID id = UUID.randomUUID();
        return ClaimRequest.of(
                new AttemptId(id.getMostSignificantBits(), id.getLeastSignificantBits()),
                address,
                new Fingerprints("1d".repeat(32), null),
                Owner.named("tester"));
    }

    /** Claims a key and insists on the ticket. */
    static Ticket take(Ledger ledger, String key) {
        return take(ledger, address(key));
    }

    /** Claims an address and insists on the ticket. */
    static Ticket take(Ledger ledger, Address address) {
        return ((Claim.Granted) ledger.claim(request(address))).ticket();
    }
}
