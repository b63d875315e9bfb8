package dev.idem.postgresql;

import dev.idem.entry.Address;
import dev.idem.entry.Entry;
import dev.idem.entry.Fence;
import dev.idem.entry.Mark;
import dev.idem.entry.Moment;
import dev.idem.entry.ProcessRef;
import dev.idem.entry.Retention;
import dev.idem.entry.Settlement;
import dev.idem.entry.State;
import dev.idem.entry.Ticket;
import dev.idem.ledger.ClaimRequest;
import dev.idem.ledger.GroupRenewing.Unrenewed;
import dev.idem.ledger.StateMachine;
import dev.idem.ledger.TakeOver;
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
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The steps of the ledger, each one statement, one round trip and one transaction. */
final class Steps {
    private final Database database;
    private final Statements statements;
    private final String lockTimeout;
    private final KeepGuess guess = new KeepGuess();

    Steps(Database database, Statements statements, Duration lockTimeout) {
        this.database = database;
        this.statements = statements;
        this.lockTimeout = lockTimeout.toMillis() + "ms";
    }

    /** Takes a key that nobody has, or reads what is there; an answer without an entry is to be asked for again. */
    Answer claim(ClaimRequest request, StateMachine rules) {
        ClaimRequest stored = Stored.of(request);
        return database.ask(
                statements.get("claim"),
                parameters -> taking(parameters, stored).address(stored.address()),
                row -> {
                    row.next();
                    String taken = row.getString(1);
                    return taken != null ? Taken.read(taken, rules, stored) : Taken.found(row);
                });
    }

    /** The same, where a new key is expected. */
    Answer claimNew(ClaimRequest request, StateMachine rules) {
        ClaimRequest stored = Stored.of(request);
        return database.ask(statements.get("claim-new"), parameters -> taking(parameters, stored), row -> {
            row.next();
            return Taken.read(row.getString(1), rules, stored);
        });
    }

    private Parameters taking(Parameters parameters, ClaimRequest stored) throws SQLException {
        return parameters
                .address(stored.address())
                .text(PackedText.granted(stored))
                .text(Texts.labels(stored.labels()))
                .duration(stored.lease())
                .duration(guess.of(stored.address().operation()))
                .text(lockTimeout);
    }

    private static String word(TakeOver takeOver) {
        return takeOver.name().toLowerCase(Locale.ROOT);
    }

    /** Claims with what is known of processes. */
    Answer claim(ClaimRequest request, Judgement judgement) {
        ClaimRequest stored = Stored.of(request);
        return database.ask(
                statements.get("claim-judged"),
                parameters -> parameters
                        .address(stored.address())
                        .text(PackedText.granted(stored))
                        .duration(stored.lease())
                        .text(word(stored.takeOver()))
                        .duration(stored.grace())
                        .judgement(judgement)
                        .text(lockTimeout),
                Steps::one);
    }

    /**
     * Completes an attempt whose entry is as it was granted; null where it is not, and nothing was done.
     *
     * @param granted the entry of the ticket, which need not be sent back then
     */
    @Nullable
    Answer complete(Connection connection, Entry granted, Settlement.Completed how, StateMachine rules)
            throws SQLException {
        Settlement.Completed stored = Stored.of(how);
        guess.saw(granted.address().operation(), stored.retention().keep());
        Duration keep = stored.retention().keep();
        Outcome outcome = Outcome.of(stored);
        Moment now = Database.<Optional<Moment>>ask(
                        connection,
                        statements.get("complete"),
                        parameters -> parameters
                                .duration(keep)
                                .duration(keep)
                                .duration(keep)
                                .text(PackedText.settlement(outcome, State.COMPLETE.word()))
                                .bytes(Objects.requireNonNull(outcome.payload()).bytes())
                                .address(granted.address())
                                .number(granted.fence().number())
                                .number(Micros.of(granted.tenure().lease().wall())),
                        row -> row.next()
                                ? Optional.of(Moment.ofWall(Micros.instant(row.getLong(1) - Micros.of(keep))))
                                : Optional.empty())
                .orElse(null);
        return now == null
                ? null
                : new Answer(
                        now,
                        true,
                        rules.settle(granted, granted.ticket(), stored, now).put());
    }

    /** Settles as a part of this connection's transaction. */
    Answer settle(Connection connection, Ticket ticket, Settlement how) throws SQLException {
        Outcome outcome = Outcome.of(how);
        if (how instanceof Settlement.Completed completed) {
            guess.saw(ticket.address().operation(), completed.retention().keep());
        }
        return Database.ask(
                connection,
                statements.get("settle"),
                parameters -> parameters
                        .address(ticket.address())
                        .number(ticket.fence().number())
                        .outcome(outcome),
                row -> {
                    row.next();
                    return settled(row, outcome);
                });
    }

    private static Answer settled(ResultSet row, Outcome outcome) throws SQLException {
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

    Answer forget(Entry seen, @Nullable Judgement judgement) {
        return database.ask(
                statements.get("forget"),
                parameters -> parameters
                        .address(seen.address())
                        .number(seen.fence().number())
                        .text(seen.state().word())
                        .duration(Retention.DEFAULT.keep())
                        .judgement(judgement)
                        .text(lockTimeout),
                Steps::one);
    }

    boolean mark(Ticket ticket, Mark mark) {
        ProcessRef child = mark.child();
        return database.ask(
                statements.get("mark"),
                parameters -> parameters
                        .address(ticket.address())
                        .number(ticket.fence().number())
                        .text(Texts.marks(List.of(new Mark(Stored.plain(mark.name()), child))))
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
