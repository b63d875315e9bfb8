package dev.idem.server;

import dev.idem.Address;
import dev.idem.Json;
import dev.idem.JsonException;
import dev.idem.Policy;
import dev.idem.spi.Fence;
import dev.idem.spi.Owner;
import dev.idem.spi.ProcessRef;
import dev.idem.spi.Retention;
import dev.idem.spi.Ticket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A ticket that holds all that any server needs to renew and settle it alike, also after a restart: the server that
 * granted it may be gone.
 *
 * @param ledgerId the ledger that gave it: in another one, the same fence may be another attempt's
 * @param probing whether it allows only a probe
 * @param keepsFailures whether a failure answers later calls
 * @param hasGrace whether the policy says how long the remote may still work after the call was seen to end
 * @param owner the process of the client, if it is known
 */
record TicketText(
        String ledgerId,
        Ticket ticket,
        boolean probing,
        Duration lease,
        Retention retention,
        boolean keepsFailures,
        boolean hasGrace,
        @Nullable ProcessRef owner) {
    private static final long VERSION = 1;
    private static final int PARTS = 14;
    private static final Duration LONGEST_LEASE = Duration.ofDays(36_525);

    static TicketText of(String ledgerId, Ticket ticket, boolean probing, Policy policy, Owner owner) {
        return new TicketText(
                ledgerId,
                ticket,
                probing,
                policy.lease(),
                policy.retention(),
                policy.keepsFailures(),
                policy.probeGrace() != null,
                owner.process());
    }

    String text() {
        Address address = ticket.address();
        String json = Json.writePlain(Arrays.asList(
                VERSION,
                ledgerId,
                address.scope(),
                address.operation(),
                address.key(),
                ticket.fence().toString(),
                probing,
                lease.toMillis(),
                retention.keep().toMillis(),
                retention.tombstone().toMillis(),
                keepsFailures,
                hasGrace,
                owner == null ? null : owner.host(),
                owner == null ? null : List.of(owner.pid(), owner.start())));
        return Base64.getUrlEncoder().withoutPadding().encodeToString(json.getBytes(StandardCharsets.UTF_8));
    }

    static TicketText parse(String text) {
        try {
            if (Json.parse(Base64.getUrlDecoder().decode(text)) instanceof List<?> parts
                    && parts.size() == PARTS
                    && parts.get(0).equals(VERSION)) {
                return of(parts);
            }
        } catch (IllegalArgumentException | JsonException | ClassCastException | NullPointerException e) {
            throw notATicket();
        }
        throw notATicket();
    }

    private static TicketText of(List<?> parts) {
        Address address = new Address((String) parts.get(2), (String) parts.get(3), (String) parts.get(4));
        return new TicketText(
                Objects.requireNonNull((String) parts.get(1)),
                new Ticket(address, new Fence(Long.parseLong((String) parts.get(5)))),
                (Boolean) parts.get(6),
                lease(Duration.ofMillis((Long) parts.get(7))),
                new Retention(Duration.ofMillis((Long) parts.get(8)), Duration.ofMillis((Long) parts.get(9))),
                (Boolean) parts.get(10),
                (Boolean) parts.get(11),
                parts.get(12) == null ? null : process((String) parts.get(12), (List<?>) parts.get(13)));
    }

    /** Checks a lease that comes from outside. */
    static Duration lease(Duration lease) {
        if (lease.isNegative() || lease.isZero() || lease.compareTo(LONGEST_LEASE) > 0) {
            throw new IllegalArgumentException("a lease is positive and at most a century");
        }
        return lease;
    }

    private static ProcessRef process(String host, List<?> numbers) {
        return new ProcessRef(host, (Long) numbers.get(0), (Long) numbers.get(1));
    }

    private static ApiException notATicket() {
        return ApiException.malformed(
                "'ticket' is not one that claim gave; send its text unchanged. Nothing was settled");
    }
}
