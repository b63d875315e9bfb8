package dev.idem.cli.entry;

import dev.idem.Address;
import dev.idem.Idem;
import dev.idem.agent.approval.Approvals;
import dev.idem.agent.approval.Decided;
import dev.idem.cli.around.Iso;
import dev.idem.cli.around.Surroundings;
import dev.idem.cli.syntax.Arguments;
import dev.idem.command.Answer;
import dev.idem.command.Printable;
import dev.idem.server.Access;
import dev.idem.spi.Ledger;
import dev.idem.spi.browse.Browsable;
import dev.idem.spi.browse.Query;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The list of what people have decided, for {@code idem ls --decided}. */
final class Decisions {
    private Decisions() {}

    /** The calls that this person, token or user has allowed or denied. */
    static Set<Address> decidedBy(String name, Ledger ledger) {
        return with(ledger, approvals -> approvals.decidedBy(name));
    }

    private static <T> T with(Ledger ledger, Function<Approvals, T> look) {
        try (Idem idem =
                Idem.builder().ledger(ledger).purgeEvery(Duration.ZERO).quiet().open()) {
            return look.apply(Approvals.on(idem));
        }
    }

    static Answer list(
            Ledger ledger,
            Browsable browsable,
            Query query,
            @Nullable String by,
            Surroundings around,
            Arguments arguments) {
        Decided.Some some = with(
                ledger,
                approvals -> Decided.browse(
                        browsable,
                        approvals,
                        query,
                        each -> !Access.isInternal(each.call().scope()) && (by == null || each.isBy(by))));
        Table table = new Table("WHEN", "WHO", "DECIDED", "SCOPE", "OPERATION", "KEY", "WHY");
        some.decisions()
                .forEach(each -> table.row(
                        Iso.local(each.at()),
                        Printable.line(each.person().person()),
                        each.as(),
                        Printable.line(each.call().scope()),
                        Printable.line(each.call().operation()),
                        each.call().key(),
                        Printable.line(Objects.requireNonNullElse(each.person().why(), ""))));
        Answer answer = Answer.ok("noop")
                .with(
                        "decisions",
                        some.decisions().stream().map(Decisions::fields).toList())
                .with("more", some.next() != null)
                .text(table.text());
        if (around.style().people() && some.decisions().isEmpty()) {
            answer.line("no decision of a person in the ledger " + LedgerPlace.shown(arguments, around.env()));
        }
        return some.next() == null
                ? answer
                : answer.meta("cursor", some.next())
                        .line("there are more; raise --limit, or go on with --cursor " + some.next());
    }

    private static Map<String, @Nullable Object> fields(Decided decided) {
        Map<String, @Nullable Object> fields = new LinkedHashMap<>();
        fields.put("scope", decided.call().scope());
        fields.put("operation", decided.call().operation());
        fields.put("key", decided.call().key());
        fields.put("decided", decided.as());
        fields.put("at", Iso.text(decided.at()));
        fields.put("resolution", EntryFields.resolution(decided.person()));
        fields.put("approval", decided.approval());
        return fields;
    }
}
