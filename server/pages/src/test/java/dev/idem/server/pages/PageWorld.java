package dev.idem.server.pages;

import dev.idem.Address;
import dev.idem.Entry;
import dev.idem.Idem;
import dev.idem.Operation;
import dev.idem.Policy;
import dev.idem.State;
import dev.idem.agent.approval.Approvals;
import dev.idem.agent.approval.Wanted;
import dev.idem.agent.inbox.Event;
import dev.idem.agent.inbox.Inbox;
import dev.idem.server.Access;
import dev.idem.server.Api;
import dev.idem.server.Caller;
import dev.idem.server.Operations;
import dev.idem.server.Token;
import dev.idem.server.TokenFile;
import dev.idem.server.http.NetworkCarrier;
import dev.idem.spi.Host;
import dev.idem.spi.Ledger;
import dev.idem.spi.Ledgers;
import dev.idem.spi.browse.Historied;
import dev.idem.spi.browse.TrailLine;
import dev.idem.testkit.Until;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** A server with a console, on a ledger in a file that is filled by the programs that use it. */
final class PageWorld implements AutoCloseable {
    private static final String OPERATIONS = """
            {"charge": {"title": "Charge", "link": "https://bank.example/search?query={key}", "amount": "cents", "currency": "USD"},
             "book_flight": {"title": "Book a flight"}}
            """;

    private final Host host = Host.system();
    final TokenFile tokens;
    final Ledger ledger;
    final Idem idem;
    final Api api;
    final NetworkCarrier carrier;

    PageWorld(Path folder) throws IOException {
        this(folder, "sqlite:" + folder.resolve("shop.db"));
    }

    PageWorld(Path folder, String url) throws IOException {
        this(folder, url, Ledgers.open(url));
    }

    /** On a ledger that is open, and closed with this. */
    PageWorld(Path folder, String url, Ledger ledger) throws IOException {
        this.ledger = ledger;
        idem = Idem.on(ledger);
        api = new Api(ledger, url, host, "1.2.3");
        tokens = new TokenFile(folder.resolve("tokens.json"), host);
        carrier = NetworkCarrier.start(
                api, new NetworkCarrier.Place("127.0.0.1", 0, null, null), tokens, Operations.read(OPERATIONS), host);
    }

    /** Where the page is. */
    String url() {
        return carrier.url() + "/";
    }

    /** The secret of a new token. */
    String token(String name, Access access) throws IOException {
        return tokens.add(name, access, null);
    }

    /** What opens the page with a new token of this name. */
    String signIn(String name) throws IOException {
        return signIn(name, Access.ALL);
    }

    String signIn(String name, Access access) throws IOException {
        Token token = Objects.requireNonNull(tokens.find(token(name, access)));
        return carrier.signInUrl(token).toString();
    }

    Operation<Object> call(String scope, String operation, String key) {
        return idem.operation(operation).scope(scope).key(key).policy(Policy.write());
    }

    /** A charge whose answer was lost, and which can't act any more. */
    Entry doubt(String scope, String customer) {
        return doubt(
                call(scope, "charge", "req-" + customer)
                        .label("customer", customer)
                        .label("cents", "4200"),
                new Address(scope, "charge", "req-" + customer));
    }

    Entry doubt(Operation<Object> call, Address address) {
        Operation<Object> soonOver = call.policy(Policy.unset().timeLimit(Duration.ofMillis(200)));
        Entry entry = doubtThatMayAct(soonOver, address);
        Until.isTrue("it can't act any more", () -> entry.tenure().limit().isBefore(host.now()));
        return entry;
    }

    Entry doubtThatMayAct(Operation<Object> call, Address address) {
        // On a busy machine its time is over before it acts: then it has failed, and may run again.
        do {
            fails(call, new SocketTimeoutException("the bank did not answer"));
        } while (find(address).state() != State.IN_DOUBT);
        return find(address);
    }

    static void fails(Operation<Object> call, Exception with) {
        try {
            call.run(running -> {
                throw with;
            });
        } catch (Exception e) {
            // What was thrown, or that it is in doubt.
        }
    }

    /** Has a call wait for an approval; the key of the request. */
    String held(String scope, String tool, Map<String, Object> arguments) {
        Approvals approvals = Approvals.on(idem);
        approvals.ask(new Wanted(new Address(scope, tool, "call-1"), arguments));
        return approvals.pending().stream()
                .filter(each -> each.session().equals(scope) && each.tool().equals(tool))
                .findFirst()
                .orElseThrow()
                .key();
    }

    /** Gives an event up. */
    void givenUp(String source, String event, String failure) {
        Inbox.of(idem, source).poisonAfter(1).receive(Event.of(event, "{}"), (each, call) -> {
            throw new IOException(failure);
        });
    }

    Entry find(Address address) {
        return ledger.find(address).orElseThrow();
    }

    List<TrailLine> trail(Address address) {
        return ledger.as(Historied.class).orElseThrow().trail(address);
    }

    /** What another person does at another page. */
    String as(String who, String method, String params) {
        return api.call(
                method, params.replace('\'', '"'), new Caller(who, false, Access.ALL, () -> true, () -> true, false));
    }

    /** The decision of somebody else about an entry as it is now. */
    String resolvedBy(String who, Entry entry, String as, String why) {
        Address at = entry.address();
        return as(
                who,
                "resolve",
                "{'scope':'" + at.scope() + "','operation':'" + at.operation() + "','key':'" + at.key() + "','fence':'"
                        + entry.fence() + "','state':'in_doubt','as':'" + as + "','why':'" + why
                        + "','request_id':'request-of-" + who + "'}");
    }

    @Override
    public void close() throws IOException {
        carrier.close();
        api.close();
        idem.close();
        ledger.close();
    }
}
