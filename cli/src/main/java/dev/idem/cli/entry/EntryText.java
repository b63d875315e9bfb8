package dev.idem.cli.entry;

import dev.idem.cli.recorded.CommandCodec;
import dev.idem.cli.recorded.CommandResult;
import dev.idem.codec.Codecs;
import dev.idem.entry.Doubt;
import dev.idem.entry.Entry;
import dev.idem.entry.Mark;
import dev.idem.entry.ProcessRef;
import dev.idem.entry.Result;
import dev.idem.ledger.Processes;
import dev.idem.seal.SealedLedger;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Entries for people. Shows no payloads. */
public final class EntryText {
    private EntryText() {}

    public static String of(Entry entry, Processes processes) {
        StringBuilder text = new StringBuilder();
        line(text, "key", entry.address().key());
        line(text, "scope", entry.address().scope());
        line(text, "operation", entry.address().operation());
        line(text, "state", entry.state().word());
        Doubt doubt = entry.doubt();
        if (doubt != null) {
            line(text, "doubt", Doubts.reason(entry, doubt) + " (since " + doubt.since() + ")");
        }
        line(text, "attempt", entry.attempt() + ", fence " + entry.fence());
        line(text, "owner", entry.tenure().owner().name());
        for (Mark mark : entry.tenure().marks()) {
            line(text, "mark", mark.name() + (mark.child() == null ? "" : life(mark.child(), processes)));
        }
        line(text, "first claim", entry.times().created());
        line(text, "last claim", entry.times().claimed());
        line(text, "settled", entry.times().settled());
        line(text, "expires", entry.times().expires());
        line(text, "result", result(entry));
        line(text, "replays", entry.replays());
        entry.labels().forEach((name, value) -> line(text, "label", name + "=" + value));
        return text.toString();
    }

    private static String life(ProcessRef child, Processes processes) {
        return ", pid " + child.pid()
                + switch (processes.of(child)) {
                    case ALIVE -> " (running)";
                    case DEAD -> " (ended)";
                    case UNKNOWN -> "";
                };
    }

    @SuppressWarnings("CatchingUnchecked") // whatever is wrong with a stored result, the rest is still worth showing
    private static @Nullable String result(Entry entry) {
        Result result = entry.result();
        Optional<String> keyId = result == null ? Optional.empty() : SealedLedger.keyIdOf(entry);
        if (keyId.isPresent()) {
            return "sealed with key '" + keyId.get() + "'";
        }
        if (result instanceof Result.Unavailable unavailable) {
            return "can't be replayed: " + unavailable.why();
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
                    .append(value)
                    .append('\n');
        }
    }

    /** One line for each entry, under a head. */
    public static String table(List<Entry> entries) {
        List<String[]> rows = new ArrayList<>();
        rows.add(new String[] {"STATE", "SCOPE", "OPERATION", "KEY", "ATTEMPT", "CLAIMED", "REPLAYS"});
        for (Entry entry : entries) {
            rows.add(new String[] {
                entry.state().word(),
                entry.address().scope(),
                entry.address().operation(),
                entry.address().key(),
                Integer.toString(entry.attempt()),
                entry.times().claimed().toString(),
                Long.toString(entry.replays())
            });
        }
        int[] widths = new int[rows.get(0).length];
        for (String[] row : rows) {
            for (int i = 0; i < row.length; i++) {
                widths[i] = Math.max(widths[i], row[i].length());
            }
        }
        StringBuilder text = new StringBuilder();
        for (String[] row : rows) {
            StringBuilder cells = new StringBuilder();
            for (int i = 0; i < row.length; i++) {
                cells.append(String.format(Locale.ROOT, "%-" + (widths[i] + 2) + "s", row[i]));
            }
            text.append(cells.toString().stripTrailing()).append('\n');
        }
        return text.toString();
    }
}
