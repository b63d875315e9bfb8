package dev.idem.postgresql;

import dev.idem.entry.Address;
import dev.idem.entry.Fence;
import dev.idem.entry.Mark;
import dev.idem.entry.ProcessRef;
import dev.idem.entry.Retention;
import dev.idem.entry.Settlement;
import dev.idem.entry.Ticket;
import dev.idem.ledger.ClaimRequest;
import dev.idem.ledger.GroupRenewing.Unrenewed;
import dev.idem.sql.Micros;
import dev.idem.sql.Outcome;
import dev.idem.sql.Texts;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The steps of the ledger, each one statement, one round trip and one transaction. */
final class Steps {
    private final Database database;
    private final Statements statements;
    private final String lockTimeout;

    Steps(Database database, Statements statements, Duration lockTimeout) {
        this.database = database;
        this.statements = statements;
        this.lockTimeout = lockTimeout.toMillis() + "ms";
    }

    Answer claim(ClaimRequest request, @Nullable Judgement judgement) {
        return database.ask(
                statements.get("claim"),
                parameters -> parameters
                        .address(request.address())
                        .text(request.attemptId().toString())
                        .address(request.address())
                        .text(request.fingerprints().identity())
                        .text(request.fingerprints().content())
                        .text(Texts.address(request.parent()))
                        .text(Texts.labels(plain(request.labels())))
                        .text(request.owner().name())
                        .process(request.owner().process())
                        .duration(request.lease())
                        .duration(request.timeLimit())
                        .flag(request.staged())
                        .text(request.takeOver().name().toLowerCase(Locale.ROOT))
                        .duration(request.grace())
                        .judgement(judgement)
                        .text(lockTimeout),
                Steps::one);
    }

    Answer settle(Ticket ticket, Settlement how) {
        return database.run(connection -> settle(connection, ticket, how));
    }

    /** Settles as a part of this connection's transaction. */
    Answer settle(Connection connection, Ticket ticket, Settlement how) throws SQLException {
        Outcome outcome = Outcome.of(how);
        return Database.ask(
                connection,
                statements.get("settle"),
                parameters -> parameters
                        .address(ticket.address())
                        .number(ticket.fence().number())
                        .outcome(outcome),
                row -> settled(row, outcome));
    }

    private static Answer settled(ResultSet row, Outcome outcome) throws SQLException {
        row.next();
        boolean changed = row.getBoolean(2);
        return Answer.read(
                row, changed && outcome.payload() != null ? outcome.payload().bytes() : null);
    }

    Answer resolve(Address address, Fence seen, Settlement how, @Nullable Judgement judgement) {
        return database.ask(
                statements.get("resolve"),
                parameters -> parameters
                        .address(address)
                        .number(seen.number())
                        .outcome(Outcome.of(how))
                        .judgement(judgement),
                Steps::one);
    }

    Answer forget(Address address, Fence seen, @Nullable Judgement judgement) {
        return database.ask(
                statements.get("forget"),
                parameters -> parameters
                        .address(address)
                        .number(seen.number())
                        .duration(Retention.DEFAULT.keep())
                        .judgement(judgement),
                Steps::one);
    }

    boolean mark(Ticket ticket, Mark mark) {
        ProcessRef child = mark.child();
        return database.ask(
                statements.get("mark"),
                parameters -> parameters
                        .address(ticket.address())
                        .number(ticket.fence().number())
                        .text(Texts.marks(List.of(new Mark(Parameters.plain(mark.name()), child))))
                        .flag(child != null)
                        .text(child == null ? mark.name() : mark.name() + ", " + child),
                row -> row.next() && row.getBoolean(1));
    }

    /** Prolongs leases, and tells which it did not prolong. */
    Unrenewed renew(List<Map.Entry<Ticket, Duration>> leases) {
        List<Ticket> tickets = leases.stream().map(Map.Entry::getKey).toList();
        Map<Long, Boolean> current = database.ask(
                statements.get("renew"),
                parameters -> parameters
                        .array("text", each(tickets, ticket -> ticket.address().scope()))
                        .array("text", each(tickets, ticket -> ticket.address().operation()))
                        .array("text", each(tickets, ticket -> ticket.address().key()))
                        .array("bigint", each(tickets, ticket -> ticket.fence().number()))
                        .array("bigint", each(leases, lease -> Micros.of(lease.getValue()))),
                Steps::renewed);
        Set<Ticket> lost = new HashSet<>(tickets);
        lost.removeIf(ticket -> current.containsKey(ticket.fence().number()));
        Set<Ticket> unanswered = new HashSet<>(tickets);
        unanswered.removeIf(ticket -> current.getOrDefault(ticket.fence().number(), true));
        return new Unrenewed(lost, unanswered);
    }

    private static <T> Object[] each(List<T> all, Function<T, Object> part) {
        return all.stream().map(part).toArray();
    }

    @Nullable
    Answer find(Address address) {
        return database.<Optional<Answer>>ask(
                        statements.get("find"),
                        parameters -> parameters.address(address),
                        row -> row.next() ? Optional.of(Answer.read(row)) : Optional.empty())
                .orElse(null);
    }

    void countReplays(Map<Long, Long> counts) {
        List<Long> fences = counts.keySet().stream().sorted().toList();
        database.change(
                statements.get("count-replays"),
                parameters -> parameters
                        .array("bigint", fences.toArray())
                        .array("bigint", fences.stream().map(counts::get).toArray()));
    }

    int purge(int limit) {
        return database.ask(
                statements.get("purge"),
                parameters -> parameters.integer(limit),
                row -> row.next() ? row.getInt(1) : 0);
    }

    /** The server takes no U+0000 in what it reads as JSON either. */
    private static Map<String, String> plain(Map<String, String> labels) {
        Map<String, String> plain = new TreeMap<>();
        labels.forEach((name, value) -> plain.put(Parameters.plain(name), Parameters.plain(value)));
        return plain;
    }

    private static Answer one(ResultSet row) throws SQLException {
        row.next();
        return Answer.read(row);
    }

    private static Map<Long, Boolean> renewed(ResultSet rows) throws SQLException {
        Map<Long, Boolean> renewed = new HashMap<>();
        while (rows.next()) {
            renewed.put(rows.getLong(1), rows.getBoolean(2));
        }
        return renewed;
    }
}
