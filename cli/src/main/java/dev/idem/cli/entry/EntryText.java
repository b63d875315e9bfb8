package dev.idem.cli.entry;

import dev.idem.Entry;
import dev.idem.cli.around.Iso;
import dev.idem.cli.around.OutputStyle;
import dev.idem.cli.around.Surroundings;
import dev.idem.cli.recorded.CommandCodec;
import dev.idem.cli.recorded.CommandResult;
import dev.idem.cli.syntax.Durations;
import dev.idem.command.Printable;
import dev.idem.command.Terminal;
import dev.idem.internal.codec.Codecs;
import dev.idem.seal.SealedLedger;
import dev.idem.spi.Doubt;
import dev.idem.spi.Failure;
import dev.idem.spi.ImportedRun;
import dev.idem.spi.Mark;
import dev.idem.spi.Moment;
import dev.idem.spi.ProcessRef;
import dev.idem.spi.Processes;
import dev.idem.spi.ResolvedBy;
import dev.idem.spi.Result;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Entries for people. Shows no payloads. */
final class EntryText {
    private static final int GREEN = 32;
    private static final int YELLOW = 33;
    private static final int RED = 31;
    private static final int DIM = 2;
    private static final int LONGEST_ABOUT = 60;
    private static final String ABOUT = "ABOUT";
    private static final String KEY = "KEY";
    private static final String SCOPE = "SCOPE";
    private static final String OPERATION = "OPERATION";
    private static final int SHORTEST = 12;
    /** {@code idem_} and twelve digits, which find the entry. */
    private static final int SHORTEST_KEY = 17;

    private EntryText() {}

    static String of(Entry entry, Processes processes, OutputStyle style) {
        StringBuilder text = new StringBuilder();
        line(text, "key", entry.address().key());
        line(text, "scope", entry.address().scope());
        line(text, "operation", entry.address().operation());
        text.append("state        ").append(state(entry, style)).append('\n');
        Doubt doubt = entry.doubt();
        if (doubt != null) {
            line(text, "doubt", Doubts.reason(entry, doubt) + " (since " + Iso.local(Doubts.since(entry, doubt)) + ")");
        }
        Doubts.about(entry).forEach(kept -> line(text, "", kept));
        Failure failure = entry.failure();
        String message = Doubts.message(entry);
        if (failure != null && !Doubts.isCommandEnd(failure.type())) {
            line(text, "failure", failure.type() + (message == null ? "" : ": " + message));
        }
        ResolvedBy person = entry.resolution();
        line(text, "resolved by", person == null ? null : person.person());
        line(text, "why", person == null ? null : person.why());
        line(text, "request", person == null ? null : person.request());
        line(text, "note", person == null && entry.note() != null ? "recorded as text: " + entry.note() : null);
        line(text, "attempt", entry.attempt() + ", fence " + entry.fence());
        line(text, "owner", entry.tenure().owner().name());
        for (Mark mark : entry.tenure().marks()) {
            line(text, "mark", mark.name() + (mark.child() == null ? "" : life(mark.child(), processes)));
        }
        ImportedRun there = ImportedRun.of(entry.labels());
        if (there != null) {
            line(text, "ran", time(there.began()) + ", in the ledger it was imported from");
        }
        line(text, "first claim", time(entry.times().created()));
        line(text, "last claim", time(entry.times().claimed()));
        line(text, "settled", time(entry.times().settled()));
        line(text, "expires", time(entry.times().expires()));
        line(text, "result", result(entry));
        line(text, "replays", entry.replays());
        entry.labels().forEach((name, value) -> line(text, "label", name + "=" + value));
        return text.toString();
    }

    private static @Nullable String time(@Nullable Instant when) {
        return when == null ? null : Iso.local(when);
    }

    private static String life(ProcessRef child, Processes processes) {
        return ", pid " + child.pid()
                + switch (processes.of(child)) {
                    case ALIVE -> " (running)";
                    case DEAD -> " (ended)";
                    case UNKNOWN -> "";
                };
    }

    @SuppressWarnings("CatchingUnchecked") // the rest is shown even if the stored result is broken
    private static @Nullable String result(Entry entry) {
        Result result = entry.result();
        Optional<String> keyId = result == null ? Optional.empty() : SealedLedger.keyIdOf(entry);
        if (keyId.isPresent()) {
            return "sealed with key '" + keyId.get() + "'";
        }
        if (result instanceof Result.Unavailable unavailable) {
            return "can't be replayed: " + CommandCodec.reason(unavailable.why());
        }
        if (!(result instanceof Result.Stored stored)) {
            return null;
        }
        if (!stored.payload().codec().equals(CommandCodec.NAME)) {
            return stored.payload().bytes().length + " bytes, "
                    + stored.payload().mediaType();
        }
        try {
            Object value = new Codecs(List.of(new CommandCodec()), Integer.MAX_VALUE, Integer.MAX_VALUE)
                    .decode(stored.payload(), CommandResult.class);
            if (value instanceof CommandResult command) {
                return command.resolved()
                        ? "exit 0, resolved by hand"
                        : !command.output().whole()
                                ? "exit " + command.exitCode() + "; "
                                        + command.output().whyNotKept()
                                : "exit " + command.exitCode() + ", stdout "
                                        + command.output().stdout().length + " bytes, stderr "
                                        + command.output().stderr().length + " bytes";
            }
            return "unreadable";
        } catch (Exception e) {
            return "unreadable: " + e.getMessage();
        }
    }

    private static void line(StringBuilder text, String name, @Nullable Object value) {
        if (value != null) {
            text.append(name)
                    .append(" ".repeat(13 - name.length()))
                    .append(Printable.line(value.toString()))
                    .append('\n');
        }
    }

    /** The state in its colour: green for done, yellow for running, red for entries that need attention. */
    static String state(Entry entry, OutputStyle style) {
        int colour = switch (entry.state()) {
            case COMPLETE -> GREEN;
            case IN_PROGRESS -> YELLOW;
            case IN_DOUBT -> RED;
            case FAILED, EXPIRED -> DIM;
        };
        return style.colour(colour, entry.state().word());
    }

    /** One line for each entry, under a head. */
    static String table(List<Entry> entries, Surroundings around) {
        Moment now = around.host().now();
        int columns = around.style().people() ? Terminal.size(around.env()).columns() : Integer.MAX_VALUE;
        boolean plain = entries.stream().allMatch(entry -> about(entry).isEmpty());
        Table table = new Table("STATE", SCOPE, OPERATION, KEY, "ATTEMPT", "CLAIMED", "REPLAYS", ABOUT);
        for (Entry entry : entries) {
            Duration age = Duration.between(entry.times().claimed(), now.wall());
            table.row(
                    state(entry, around.style()),
                    Printable.line(entry.address().scope()),
                    Printable.line(entry.address().operation()),
                    entry.address().key(),
                    Integer.toString(entry.attempt()),
                    age.isNegative() ? Iso.local(entry.times().claimed()) : Durations.words(age) + " ago",
                    Long.toString(entry.replays()),
                    about(entry));
        }
        // A scope that all entries share tells least. When and what about tell more than the end of a long key.
        boolean oneScope = entries.stream()
                        .map(entry -> entry.address().scope())
                        .distinct()
                        .count()
                <= 1;
        UnaryOperator<Table> little = part -> part.cutting(columns, ABOUT, LONGEST_ABOUT / 2);
        int key = beginning(entries);
        UnaryOperator<Table> more = part -> little.apply(part)
                .cutting(columns, SCOPE, SHORTEST)
                .cutting(columns, OPERATION, SHORTEST)
                .cutting(columns, KEY, key)
                .cutting(columns, ABOUT, SHORTEST);
        Table fitting = (plain ? table.without(ABOUT) : table)
                .without(columns, little, "REPLAYS", "ATTEMPT", oneScope ? SCOPE : "")
                .without(columns, more, "CLAIMED", ABOUT, SCOPE, OPERATION);
        return more.apply(fitting).fitting(columns);
    }

    /** How many characters of the keys, and a mark for the rest, tell the entries apart as well as the whole keys do. */
    private static int beginning(List<Entry> entries) {
        List<String> keys =
                entries.stream().map(entry -> entry.address().key()).distinct().toList();
        int longest = keys.stream().mapToInt(String::length).max().orElse(0);
        int shown = SHORTEST_KEY;
        while (shown < longest && beginnings(keys, shown) < keys.size()) {
            shown++;
        }
        return shown + 1;
    }

    private static long beginnings(List<String> keys, int shown) {
        return keys.stream()
                .map(key -> key.substring(0, Math.min(shown, key.length())))
                .distinct()
                .count();
    }

    /** The labels and the failure of an entry. */
    private static String about(Entry entry) {
        List<String> parts = new ArrayList<>();
        new TreeMap<>(entry.labels()).forEach((name, value) -> parts.add(name + "=" + value));
        String message = Doubts.message(entry);
        if (message != null) {
            parts.add(message.lines().findFirst().orElse(""));
        }
        String about = Printable.line(String.join(" ", parts));
        return about.length() > LONGEST_ABOUT ? about.substring(0, LONGEST_ABOUT - 1) + "…" : about;
    }
}
