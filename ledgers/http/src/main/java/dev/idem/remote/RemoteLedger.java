package dev.idem.remote;

import dev.idem.Address;
import dev.idem.Entry;
import dev.idem.internal.wire.RecordJson;
import dev.idem.spi.Claim;
import dev.idem.spi.ClaimRequest;
import dev.idem.spi.Fence;
import dev.idem.spi.GroupRenewing;
import dev.idem.spi.Ledger;
import dev.idem.spi.Mark;
import dev.idem.spi.Settled;
import dev.idem.spi.Settlement;
import dev.idem.spi.Ticket;
import dev.idem.spi.browse.Browsable;
import dev.idem.spi.browse.Historied;
import dev.idem.spi.browse.TrailLine;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The ledger behind a server. Each method is one request, with the records as they are: the server's ledger decides, and
 * its clock counts. A server of another ledger refuses all requests.
 */
final class RemoteLedger implements Ledger, GroupRenewing, Historied {
    private final Server server;
    private final Hello hello;

    private RemoteLedger(Server server, Hello hello) {
        this.server = server;
        this.hello = hello;
    }

    /** Meets the server. Throws {@link dev.idem.LedgerException} if it can't be used; the message says what to do. */
    static RemoteLedger open(RemoteUrl url, boolean readOnly) {
        Server server = Server.at(url);
        try {
            Hello hello =
                    server.ask("hello", Map.of("protocol", Hello.PROTOCOL, "client", "Idem for Java"), true, Hello::of);
            if (!hello.mayAct() && !(readOnly && hello.mayRead())) {
                throw server.unreadable(
                        "gives this token only the rights " + hello.rights() + ". To claim it needs act"
                                + (readOnly ? ", to look at entries act or both read and payloads" : "")
                                + ": make another token with idem token add",
                        null);
            }
            return new RemoteLedger(server, hello);
        } catch (RuntimeException e) {
            server.close();
            throw e;
        }
    }

    /** Asks for something that a second copy of the request would get too. */
    <T> T ask(String method, Map<String, ?> members, Function<Answer, T> reader) {
        return ask(method, members, true, reader);
    }

    private <T> T ask(String method, Map<String, ?> members, boolean repeatable, Function<Answer, T> reader) {
        Map<String, @Nullable Object> params = new LinkedHashMap<>();
        params.put("ledger_id", hello.ledgerId());
        params.putAll(members);
        return server.ask("ledger." + method, params, repeatable, reader);
    }

    @Override
    public Claim claim(ClaimRequest request) {
        return ask("claim", Map.of("request", RecordJson.write(request)), answer -> {
            Claim claim = answer.expect("done").read("claim", Claim.class);
            requireAbout(request.address(), claim.entry());
            if (claim instanceof Claim.Granted
                    && !claim.entry().tenure().attemptId().equals(request.attemptId())) {
                throw new IllegalArgumentException("it grants the claim of another attempt");
            }
            return claim;
        });
    }

    /** An answer that was meant for somebody else must not be acted on. */
    private static void requireAbout(Address address, @Nullable Entry entry) {
        if (entry != null && !entry.address().equals(address)) {
            throw new IllegalArgumentException("it is about another entry");
        }
    }

    @Override
    public boolean renew(Ticket ticket, Duration lease) {
        Unrenewed unrenewed = renewAll(Map.of(ticket, lease));
        if (!unrenewed.unanswered().isEmpty()) {
            throw server.unavailable("did not renew " + ticket.address() + ": its entry is locked. Ask again", null);
        }
        return unrenewed.lost().isEmpty();
    }

    @Override
    public Unrenewed renewAll(Map<Ticket, Duration> leases) {
        Set<Ticket> lost = new HashSet<>();
        Set<Ticket> unanswered = new HashSet<>();
        List<Ticket> tickets = List.copyOf(leases.keySet());
        for (int from = 0; from < tickets.size(); from += hello.mostTickets()) {
            List<Ticket> some = tickets.subList(from, Math.min(tickets.size(), from + hello.mostTickets()));
            List<?> answers = renewed(some, leases);
            for (int i = 0; i < some.size(); i++) {
                switch ((String) answers.get(i)) {
                    case "renewed" -> {}
                    case "lost" -> lost.add(some.get(i));
                    default -> unanswered.add(some.get(i));
                }
            }
        }
        return new Unrenewed(lost, unanswered);
    }

    private List<?> renewed(List<Ticket> tickets, Map<Ticket, Duration> leases) {
        List<Map<String, Object>> all = new ArrayList<>();
        for (Ticket ticket : tickets) {
            all.add(Map.of("ticket", RecordJson.write(ticket), "lease", String.valueOf(leases.get(ticket))));
        }
        return ask("renew", Map.of("tickets", all), answer -> {
            List<?> answers = answer.expect("done").list("tickets");
            if (answers.size() != tickets.size() || !answers.stream().allMatch(String.class::isInstance)) {
                throw new IllegalArgumentException("it does not answer for each ticket");
            }
            return answers;
        });
    }

    @Override
    public boolean mark(Ticket ticket, Mark mark) {
        return ask("mark", Map.of("ticket", RecordJson.write(ticket), "mark", RecordJson.write(mark)), Answer::isDone);
    }

    @Override
    public Settled settle(Ticket ticket, Settlement how) {
        return ask("settle", Map.of("ticket", RecordJson.write(ticket), "how", RecordJson.write(how)), answer -> {
            Settled settled = answer.expect("done").read("settled", Settled.class);
            requireAbout(ticket.address(), entry(settled));
            return settled;
        });
    }

    private static @Nullable Entry entry(Settled settled) {
        if (settled instanceof Settled.Recorded recorded) {
            return recorded.entry();
        }
        return settled instanceof Settled.Already already ? already.entry() : ((Settled.Stale) settled).entry();
    }

    @Override
    public Optional<Entry> find(Address address) {
        return ask("find", Map.of("address", RecordJson.write(address)), answer -> {
            if (answer.word().equals("none")) {
                return Optional.empty();
            }
            Entry entry = answer.expect("found").read("entry", Entry.class);
            requireAbout(address, entry);
            return Optional.of(entry);
        });
    }

    /** Sent once: a second copy would be refused, since the first has raised the fence. */
    @Override
    public boolean resolve(Address address, Fence seen, Settlement how) {
        return ask(
                "resolve",
                Map.of("address", RecordJson.write(address), "fence", seen.toString(), "how", RecordJson.write(how)),
                false,
                Answer::isDone);
    }

    /** Sent once, as {@link #resolve} is. */
    @Override
    public boolean forget(Entry seen) {
        return ask("forget", Map.of("seen", RecordJson.write(seen.withSettlement(null))), false, Answer::isDone);
    }

    @Override
    public List<TrailLine> trail(Address address) {
        return ask(
                "trail",
                Map.of("address", RecordJson.write(address)),
                answer -> answer.expect("done").list("trail").stream()
                        .map(line -> RecordJson.read(line, TrailLine.class))
                        .toList());
    }

    /** What the server's ledger can, as far as the token may see it. */
    @Override
    public <C> Optional<C> as(Class<C> capability) {
        if (capability == Browsable.class) {
            return hello.capabilities().contains("browse") && hello.mayRead()
                    ? Optional.of(capability.cast(new RemoteEntries(this)))
                    : Optional.empty();
        } else if (capability == Historied.class && !(hello.capabilities().contains("trail") && hello.mayRead())) {
            return Optional.empty();
        }
        return capability.isInstance(this) ? Optional.of(capability.cast(this)) : Optional.empty();
    }

    @Override
    public int largestResult() {
        return hello.largestResult();
    }

    @Override
    public String describe() {
        return server.toString();
    }

    @Override
    public void close() {
        server.close();
    }
}
