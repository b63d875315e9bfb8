package dev.idem.agent.guard;

import dev.idem.Address;
import dev.idem.Entry;
import dev.idem.Json;
import dev.idem.LedgerException;
import dev.idem.State;
import dev.idem.spi.AttemptId;
import dev.idem.spi.Claim;
import dev.idem.spi.ClaimRequest;
import dev.idem.spi.Effect;
import dev.idem.spi.Fingerprints;
import dev.idem.spi.Host;
import dev.idem.spi.Ledger;
import dev.idem.spi.Owner;
import dev.idem.spi.Payload;
import dev.idem.spi.Result;
import dev.idem.spi.Retention;
import dev.idem.spi.Settlement;
import dev.idem.spi.Ticket;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Counts in a ledger. Call number n of a session is an entry, claimed before the call and settled after it. A refused
 * claim shows the call that has the number, so all processes see the calls in one order.
 */
final class LedgerCounters implements Counters {
    private static final String OPERATION = "idem.guard";
    private static final String TOOL = "tool";
    private static final String CALL = "call";
    private static final String READ = "read";
    private static final String CHANGED = "changed";

    private final Ledger ledger;
    private final String session;
    private final Owner owner = Host.system().self();
    private final Map<Long, CountedCall> open = new HashMap<>();
    private long last;

    LedgerCounters(Ledger ledger, String session) {
        this.ledger = ledger;
        this.session = session;
    }

    @Override
    public Place begin(CountedCall step, CallWindow tally) {
        learnEndings(tally);
        // A label has at most 255 characters.
        Map<String, String> labels =
                Map.of(TOOL, shortened(step.tool), CALL, step.key, READ, Boolean.toString(step.read));
        UUID id = UUID.randomUUID();
        AttemptId attempt = new AttemptId(id.getMostSignificantBits(), id.getLeastSignificantBits());
        while (true) {
            Claim claim = ledger.claim(ClaimRequest.of(attempt, address(++last), Fingerprints.NONE, owner)
                    .withLabels(labels));
            if (claim instanceof Claim.Granted granted) {
                tally.began(step);
                return new Place(granted.ticket());
            }
            learn(claim.entry(), tally);
        }
    }

    @Override
    public void end(Place place, Ending ending) {
        byte[] json = Json.write(Map.of(
                        "how",
                        ending.how().name(),
                        CHANGED,
                        ending.changed(),
                        "nanos",
                        ending.time().toNanos()))
                .getBytes(StandardCharsets.UTF_8);
        Result result = new Result.Stored(Payload.of(json, "application/json", "json"));
        if (place.name() instanceof Ticket ticket) {
            settle(ticket, new Settlement.Completed(result, Effect.NOOP, Retention.DEFAULT));
        }
    }

    /** Settles the entry. The call has run, so a failure here must not lose its result. */
    private void settle(Ticket ticket, Settlement how) {
        try {
            ledger.settle(ticket, how);
        } catch (LedgerException e) {
            System.getLogger("dev.idem.agent")
                    .log(Level.WARNING, () -> "a call was counted without its ending: " + e.getMessage());
        }
    }

    /** Adds a call of another process, or of this task before a restart. */
    private void learn(Entry entry, CallWindow tally) {
        CountedCall step = new CountedCall(
                entry.labels().getOrDefault(TOOL, ""),
                entry.labels().getOrDefault(CALL, ""),
                Boolean.parseBoolean(entry.labels().get(READ)));
        tally.began(step);
        Ending ending = ending(entry);
        if (ending != null) {
            tally.ended(step, ending);
        } else {
            open.put(last, step);
        }
    }

    /** Adds the ends of calls that ran elsewhere. */
    private void learnEndings(CallWindow tally) {
        open.entrySet().removeIf(one -> {
            Entry entry = ledger.find(address(one.getKey())).orElse(null);
            Ending ending = entry == null ? null : ending(entry);
            if (ending != null) {
                tally.ended(one.getValue(), ending);
            }
            // Its process died: the call will never end.
            return ending != null || entry == null || entry.state() == State.IN_DOUBT;
        });
    }

    private static @Nullable Ending ending(Entry entry) {
        if (entry.result() instanceof Result.Stored stored
                && Json.parse(stored.payload().bytes()) instanceof Map<?, ?> json
                && json.get("nanos") instanceof Long nanos) {
            Ending.How how = Ending.How.valueOf(String.valueOf(json.get("how")));
            return new Ending(how, Boolean.TRUE.equals(json.get(CHANGED)), Duration.ofNanos(nanos));
        }
        return null;
    }

    private Address address(long number) {
        return new Address(session, OPERATION, Long.toString(number));
    }

    private static String shortened(String tool) {
        return tool.length() <= 255 ? tool : tool.substring(0, 255);
    }
}
