package dev.idem.redis;

import dev.idem.entry.Ticket;
import dev.idem.error.LedgerUnavailableException;
import dev.idem.ledger.GroupRenewing.Unrenewed;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import redis.clients.jedis.exceptions.JedisConnectionException;

/** Heartbeats. A node that does not answer is waited for once in a pass, so that those of the others come in time. */
final class Renewals {
    private final Nodes nodes;
    private final Calls calls;
    private final Keys keys;
    private final Script script;

    Renewals(Nodes nodes, Calls calls, Keys keys, Script script) {
        this.nodes = nodes;
        this.calls = calls;
        this.keys = keys;
        this.script = script;
    }

    /** False: the ticket is no longer current. */
    boolean one(Ticket ticket, Duration lease) {
        return one(keys.of(ticket.address()), ticket, lease);
    }

    private boolean one(byte[] key, Ticket ticket, Duration lease) {
        byte[] fence = Digits.of(ticket.fence().number(), Digits.TIME);
        return (Long) calls.run(script, key, fence, Digits.of(Digits.micros(lease), Digits.TIME)) == 1;
    }

    Unrenewed all(Map<Ticket, Duration> leases) {
        Set<Ticket> lost = new HashSet<>();
        Set<Ticket> unanswered = new HashSet<>();
        Set<String> silent = new HashSet<>();
        leases.forEach((ticket, lease) -> {
            byte[] key = keys.of(ticket.address());
            String node = nodes.holder(key);
            try {
                if (silent.contains(node)) {
                    unanswered.add(ticket);
                } else if (!one(key, ticket, lease)) {
                    lost.add(ticket);
                }
            } catch (LedgerUnavailableException e) {
                unanswered.add(ticket);
                if (e.getCause() instanceof JedisConnectionException) {
                    silent.add(node);
                }
                System.getLogger("dev.idem").log(Level.WARNING, "no answer to the renewal of " + ticket.address(), e);
            }
        });
        return new Unrenewed(lost, unanswered);
    }
}
