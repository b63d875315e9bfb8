package dev.idem.server;

import dev.idem.Address;
import dev.idem.Entry;
import dev.idem.internal.call.ServedClaims;
import dev.idem.internal.wire.RecordJson;
import dev.idem.spi.ClaimRequest;
import dev.idem.spi.Fence;
import dev.idem.spi.Ledger;
import dev.idem.spi.Mark;
import dev.idem.spi.ResolvedBy;
import dev.idem.spi.Settlement;
import dev.idem.spi.Ticket;
import dev.idem.spi.browse.Browsable;
import dev.idem.spi.browse.Historied;
import dev.idem.spi.browse.Page;
import dev.idem.spi.browse.Query;
import java.time.DateTimeException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The ledger itself, for Java programs that open this server as their ledger. Requests and answers hold the records of
 * the SPI, unchanged: an entry has its result. Each request names its ledger by the id of that.
 */
final class LedgerMethods {
    /** The largest result whose settlement, in base64 and with all the rest, fits into a request. */
    private static final int LARGEST_RESULT = (Api.LARGEST_REQUEST - (1 << 20)) / 4 * 3;

    private static final int MOST_PURGED = 10_000;

    private final Ledger ledger;
    private final LedgerName name;
    private final ServedClaims claims;
    private final LookMethods look;

    LedgerMethods(Ledger ledger, LedgerName name, ServedClaims claims, LookMethods look) {
        this.ledger = ledger;
        this.name = name;
        this.claims = claims;
        this.look = look;
    }

    /** The capabilities of the ledger that not every ledger has. */
    List<String> capabilities() {
        List<String> all = new ArrayList<>();
        ledger.as(Browsable.class).ifPresent(has -> all.add("browse"));
        ledger.as(Historied.class).ifPresent(has -> all.add("trail"));
        return all;
    }

    int largestResult() {
        return Math.min(LARGEST_RESULT, ledger.largestResult());
    }

    Answer claim(Params params, Caller caller) {
        ClaimRequest request = read(params, "request", ClaimRequest.class);
        allow(caller, Right.ACT, request.address());
        if (request.parent() != null) {
            allow(caller, Right.ACT, request.parent());
        }
        begin(params);
        claims.keepUp();
        return Answer.of("done").with("claim", RecordJson.write(ledger.claim(request)));
    }

    Answer renew(Params params, Caller caller) {
        List<Ticket> tickets = new ArrayList<>();
        Map<Ticket, Duration> leases = new HashMap<>();
        for (Params each : params.objects("tickets", TicketMethods.MOST_TICKETS)) {
            tickets.add(ticket(each, caller));
            leases.put(tickets.get(tickets.size() - 1), duration(each.text("lease")));
            each.end();
        }
        begin(params);
        Map<Ticket, String> answers = TicketMethods.unrenewed(ledger, leases);
        return Answer.of("done")
                .with(
                        "tickets",
                        tickets.stream()
                                .map(each -> answers.getOrDefault(each, "renewed"))
                                .toList());
    }

    private static Duration duration(String text) {
        try {
            return TicketText.lease(Duration.parse(text));
        } catch (DateTimeException | IllegalArgumentException e) {
            throw ApiException.malformed("'lease' is no duration of at most a century. Nothing was done");
        }
    }

    Answer mark(Params params, Caller caller) {
        Ticket ticket = ticket(params, caller);
        Mark mark = read(params, "mark", Mark.class);
        begin(params);
        return made(ledger.mark(ticket, mark));
    }

    Answer settle(Params params, Caller caller) {
        Ticket ticket = ticket(params, caller);
        Settlement how = read(params, "how", Settlement.class);
        begin(params);
        return Answer.of("done").with("settled", RecordJson.write(ledger.settle(ticket, how)));
    }

    /** Shows an entry to those who could claim it, and to those who may see results. */
    Answer find(Params params, Caller caller) {
        Address address = read(params, "address", Address.class);
        Access access = caller.access();
        if (!access.may(Right.READ, address.scope()) || !access.may(Right.PAYLOADS, address.scope())) {
            allow(caller, Right.ACT, address);
        }
        begin(params);
        return ledger.find(address)
                .map(entry -> Answer.of("found").with("entry", RecordJson.write(entry)))
                .orElseGet(() -> Answer.of("none"));
    }

    /** Who may act may take a doubt that stays one: the next round of a call does. */
    Answer resolve(Params params, Caller caller) {
        Address address = read(params, "address", Address.class);
        Settlement asked = read(params, "how", Settlement.class);
        allow(caller, asked instanceof Settlement.Doubtful ? Right.ACT : Right.OPERATE, address);
        Fence seen = TicketMethods.fence(params);
        Settlement how = signed(asked, caller);
        begin(params);
        return made(ledger.resolve(address, seen, how));
    }

    /**
     * Names the token, too: the people whom its program names are not known to have decided. A program of an earlier
     * version names them in the text alone.
     */
    private static Settlement signed(Settlement how, Caller caller) {
        if (caller.isOwn()) {
            return how;
        }
        ResolvedBy given = how.resolution();
        ResolvedBy by = given == null
                ? caller.decided(null, null, null)
                : caller.decided(
                        given.caller() == null ? given.who() : shortened(given.person()), given.why(), given.request());
        if (how instanceof Settlement.Completed done) {
            String note = given == null ? caller.who(done.note()) : by.told();
            return new Settlement.Completed(done.result(), done.effect(), done.retention(), note, by);
        }
        return how instanceof Settlement.NotExecuted not
                ? new Settlement.NotExecuted(
                        given == null ? caller.who(not.evidence()) : by.told(), not.retention(), by)
                : how;
    }

    private static String shortened(String person) {
        return person.length() <= ResolvedBy.LONGEST_NAME
                ? person
                : person.substring(0, ResolvedBy.LONGEST_NAME - 2) + ")";
    }

    Answer forget(Params params, Caller caller) {
        Entry seen = read(params, "seen", Entry.class);
        allow(caller, Right.OPERATE, seen.address());
        begin(params);
        return made(ledger.forget(seen));
    }

    /** Gives fewer entries than asked for where their results are large. */
    Answer browse(Params params, Caller caller) {
        Query asked = read(params, "query", Query.class);
        caller.access().require(Right.READ);
        Query query = asked.withScopes(caller.access().within(asked.scopes()));
        begin(params);
        Page page = look.browsable().browse(query);
        return Answer.of("done").with("page", RecordJson.write(page));
    }

    Answer stats(Params params, Caller caller) throws InterruptedException {
        begin(params);
        return Answer.of("done").with("stats", RecordJson.write(look.stats(caller.access())));
    }

    Answer purge(Params params, Caller caller) {
        caller.access().requireEverywhere(Right.OPERATE);
        int limit = (int) params.number("limit", MOST_PURGED, 1, MOST_PURGED);
        begin(params);
        return Answer.of("done").with("purged", look.browsable().purge(limit));
    }

    Answer trail(Params params, Caller caller) {
        Address address = read(params, "address", Address.class);
        caller.access().require(Right.READ, address.scope());
        begin(params);
        return Answer.of("done")
                .with(
                        "trail",
                        look.historied().trail(address).stream()
                                .map(RecordJson::write)
                                .toList());
    }

    private static Answer made(boolean made) {
        return Answer.of(made ? "done" : "refused");
    }

    private static Ticket ticket(Params params, Caller caller) {
        Ticket ticket = read(params, "ticket", Ticket.class);
        allow(caller, Right.ACT, ticket.address());
        return ticket;
    }

    /**
     * Refuses what the caller may not do. Idem's own entries are open to programs of the server's user, who could open
     * the ledger without this server: its approvals are written through it. A token that could write them could approve
     * its own calls.
     */
    private static void allow(Caller caller, Right right, Address address) {
        if (caller.isOwn()) {
            caller.access().requireAlsoInternal(right, address.scope());
        } else {
            caller.access().require(right, address.scope());
        }
    }

    /** The last look at a request, before the ledger is asked. */
    private void begin(Params params) {
        String id = params.text("ledger_id");
        params.end();
        if (!id.equals(name.id())) {
            throw new ApiException(
                    ApiError.MISMATCH,
                    "this server has another ledger now: " + name.shown()
                            + " was replaced, or its memory is gone. Nothing was done");
        }
    }

    private static <T> T read(Params params, String member, Class<T> type) {
        @Nullable Object json = params.any(member);
        if (json == null) {
            throw ApiException.malformed("'" + member + "' is missing");
        }
        return RecordJson.readStrictly(json, type);
    }
}
