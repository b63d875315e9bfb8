package dev.idem.cli.entry;

import dev.idem.Address;
import dev.idem.Entry;
import dev.idem.Json;
import dev.idem.cli.around.Iso;
import dev.idem.cli.around.Surroundings;
import dev.idem.cli.syntax.Arguments;
import dev.idem.cli.syntax.Command;
import dev.idem.cli.syntax.Durations;
import dev.idem.cli.syntax.Option;
import dev.idem.cli.syntax.Options;
import dev.idem.cli.syntax.Syntax;
import dev.idem.cli.syntax.Syntax.Trait;
import dev.idem.command.Answer;
import dev.idem.command.Printable;
import dev.idem.spi.Ledger;
import dev.idem.spi.browse.Browsable;
import dev.idem.spi.browse.Query;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** {@code idem watch}: polls the newest entries and reports changes. */
public final class WatchCommand {
    private static final Option EVERY = Option.of("--every", "TIME", "500ms", "how often to look");
    private static final Option FOR = Option.of("--for", "TIME", "0", "how long to watch; 0 until interrupted");

    public static final Command COMMAND = Syntax.of("watch", "shows entries as they change")
            .is(Trait.LOOKS, Trait.WAITS, Trait.STREAMS)
            .has(Queries.STATE, Queries.ONLY_SCOPE, Queries.ONLY_OPERATION, EVERY, FOR)
            .has(Options.OUTPUT, Options.LEDGER)
            .ends(12)
            .explained("""
            A line for each change. A pipe gets each as JSON, and the response envelope as the last line, also when
            a signal ends the watching; with --text, lines for people. With --json one object, at the end.
            """)
            .does((around, arguments) -> new WatchCommand(around, arguments).run());

    private static final int NEWEST = 200;
    /** Entries that were not seen for the longest time are dropped: a watch may run for weeks. */
    private static final int REMEMBERED = 20 * NEWEST;

    private final Surroundings around;
    private final Arguments arguments;
    private final Duration every;
    private final Duration howLong;
    private final Map<Address, String> seen = new LinkedHashMap<>();
    private final List<Map<String, @Nullable Object>> changes = new ArrayList<>();
    private long count;

    private WatchCommand(Surroundings around, Arguments arguments) {
        this.around = around;
        this.arguments = arguments;
        this.every = Durations.positive(arguments, EVERY);
        this.howLong = Durations.orZero(arguments, FOR);
    }

    private Answer run() {
        boolean json = arguments.flag(Options.JSON);
        Query query = Queries.of(arguments, around.host().now().wall()).withLimit(NEWEST);
        try (Ledger ledger = LedgerPlace.open(around, arguments)) {
            Browsable browsable = ledger.as(Browsable.class).orElse(null);
            if (browsable == null) {
                return Queries.notBrowsable(ledger);
            }
            long from = around.nanos().getAsLong();
            look(browsable, query, false, false);
            hint(ledger);
            boolean read = true;
            while (read && around.signals().exitCode() == null && !over(from)) {
                LockSupport.parkNanos(every.toNanos());
                read = look(browsable, query, true, !json);
            }
        }
        Integer signal = around.signals().exitCode();
        Answer answer = signal == null
                ? Answer.ok("noop")
                : Answer.cancelled(signal, true, "the watching was ended by a signal");
        answer.with("effect", "noop").with("count", count);
        return json ? answer.with("changes", changes) : answer;
    }

    private boolean over(long from) {
        return !howLong.isZero() && around.nanos().getAsLong() - from >= howLong.toNanos();
    }

    /** Tells a person who sees nothing that the command is not stuck. */
    private void hint(Ledger ledger) {
        if (around.style().people() && around.style().progress()) {
            around.complain("idem: watching " + ledger.describe() + (howLong.isZero() ? "; Ctrl-C ends it\n" : "\n"));
        }
    }

    /** False if the reader of the lines has gone. */
    private boolean look(Browsable browsable, Query query, boolean tell, boolean print) {
        List<Entry> entries = browsable.browse(query).entries();
        for (int i = entries.size() - 1; i >= 0; i--) {
            Entry entry = entries.get(i);
            String now = entry.state().word() + " " + entry.fence() + " " + entry.replays();
            String before = seen.remove(entry.address());
            seen.put(entry.address(), now);
            if (!tell || now.equals(before)) {
                continue;
            }
            count++;
            if (!print) {
                changes.add(EntryFields.entry(entry));
            } else if (!printed(entry)) {
                return false;
            }
        }
        forgetOldest();
        return true;
    }

    private void forgetOldest() {
        Iterator<Address> oldest = seen.keySet().iterator();
        for (int surplus = seen.size() - REMEMBERED; surplus > 0; surplus--) {
            oldest.next();
            oldest.remove();
        }
    }

    private boolean printed(Entry entry) {
        boolean people = around.style().people() || arguments.flag(Options.TEXT);
        return around.print(people ? text(entry) : Json.write(EntryFields.entry(entry)) + "\n") == null;
    }

    private String text(Entry entry) {
        return Iso.local(around.host().now().wall()) + "  "
                + EntryText.state(entry, around.style()) + "  "
                + Printable.line(entry.address().toString()) + "  attempt "
                + entry.attempt() + ", " + entry.replays() + " replays\n";
    }
}
