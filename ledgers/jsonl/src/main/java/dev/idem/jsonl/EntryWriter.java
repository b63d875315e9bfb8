package dev.idem.jsonl;

import dev.idem.entry.Address;
import dev.idem.entry.Entry;
import dev.idem.entry.Failure;
import dev.idem.entry.Mark;
import dev.idem.entry.Moment;
import dev.idem.entry.Payload;
import dev.idem.entry.ProcessRef;
import dev.idem.entry.Result;
import dev.idem.entry.Retention;
import dev.idem.entry.Settlement;
import dev.idem.entry.Tenure;
import dev.idem.entry.Times;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Writes an entry as a line. What an opening has to know comes first, always in the same order; what has its usual
 * value is left out.
 */
final class EntryWriter {
    private EntryWriter() {}

    /**
     * Writes the line of an entry; gives its checksum.
     *
     * @param ready the entry's result, where it was made into text before
     */
    static int write(LineBuffer out, Entry entry, @Nullable ResultText ready) {
        Settlement how = entry.settlement();
        Retention retention = retentionOf(how);
        Instant expires = entry.times().expires();
        head(out, entry.address(), entry.state().word(), entry.fence().number());
        if (expires != null) {
            out.name("expires").time(expires);
            if (retention != null && !retention.tombstone().isZero()) {
                out.name("gone").time(expires.plus(retention.tombstone()));
            }
        }
        if (entry.replays() != 0) {
            out.name("replays").number(entry.replays());
        }
        settlement(out, how, ready);
        times(out, entry.times(), retention);
        out.name("attempt").number(entry.attempt());
        text(out, "identity", entry.fingerprints().identity());
        text(out, "content", entry.fingerprints().content());
        if (entry.parent() != null) {
            Address parent = entry.parent();
            out.name("parent").ascii("[").string(parent.scope()).ascii(",").string(parent.operation());
            out.ascii(",").string(parent.key()).ascii("]");
        }
        if (!entry.labels().isEmpty()) {
            labels(out, entry.labels());
        }
        tenure(out, entry);
        if (entry.doubt() != null) {
            out.name("doubt").ascii("[").string(entry.doubt().reason()).ascii(",");
            out.time(entry.doubt().since()).ascii("]");
        }
        return out.end();
    }

    /** Starts a line about an address. */
    static LineBuffer head(LineBuffer out, Address address, String state, long fence) {
        return out.begin(address.key(), state)
                .name("operation")
                .string(address.operation())
                .name("scope")
                .string(address.scope())
                .name("fence")
                .number(fence);
    }

    private static void settlement(LineBuffer out, @Nullable Settlement how, @Nullable ResultText ready) {
        if (how instanceof Settlement.Completed completed) {
            Result result = completed.result();
            // The rules hand a settlement on as it is, or make another; only its own text stands for it.
            @SuppressWarnings("ReferenceEquality")
            boolean own = ready != null && ready.result() == result;
            result(out, own && ready != null ? ready : ResultText.of(result));
            out.name("effect").string(completed.effect().word());
            text(out, "note", completed.note());
        } else if (how instanceof Settlement.Failed failed) {
            failure(out, failed.failure());
            if (failed.kept()) {
                out.name("kept").ascii("true");
            }
        } else if (how instanceof Settlement.NotExecuted notExecuted) {
            out.name("evidence").string(notExecuted.evidence());
        } else if (how instanceof Settlement.Doubtful doubtful) {
            failure(out, doubtful.failure());
            out.name("doubtful").ascii("true");
        }
    }

    private static void result(LineBuffer out, ResultText text) {
        out.name("result").raw(text.value(), 0, text.value().length);
        if (text.form() != ResultText.Form.JSON) {
            out.name("form").string(text.form().word);
        }
        if (text.result() instanceof Result.Stored stored) {
            Payload payload = stored.payload();
            unless(out, "media", payload.mediaType(), text.form().media);
            unless(out, "codec", payload.codec(), text.form().codec);
            unless(out, "encoding", payload.encoding(), Payload.IDENTITY);
        }
    }

    private static void failure(LineBuffer out, Failure failure) {
        out.name("error").string(failure.message()).name("type").string(failure.type());
    }

    /** An entry that was settled has two times, the later one first; one that was not has one. */
    private static void times(LineBuffer out, Times times, @Nullable Retention retention) {
        Instant settled = times.settled();
        if (settled == null) {
            out.name("ts").time(times.claimed());
        } else {
            out.name("ts").time(settled).name("claimed").time(times.claimed());
        }
        if (!times.created().equals(times.claimed())) {
            out.name("created").time(times.created());
        }
        // How long it is kept is told by the two ends, but for entries that were made in no usual way.
        if (retention != null && !retention.keep().equals(told(settled, times.expires()))) {
            out.name("keep").time(Instant.EPOCH.plus(retention.keep()));
        }
    }

    private static Duration told(@Nullable Instant settled, @Nullable Instant expires) {
        return settled == null || expires == null ? Duration.ZERO : Duration.between(settled, expires);
    }

    private static void tenure(LineBuffer out, Entry entry) {
        Tenure tenure = entry.tenure();
        out.name("attempt_id").string(tenure.attemptId().toString());
        out.name("owner").string(tenure.owner().name());
        if (tenure.owner().process() != null) {
            out.name("process").ascii("[");
            process(out, tenure.owner().process());
            out.ascii("]");
        }
        out.name("lease");
        moment(out, tenure.lease(), null);
        out.name("limit");
        moment(out, tenure.limit(), tenure.lease().boot());
        if (tenure.acted().number() != entry.fence().number()) {
            out.name("acted").number(tenure.acted().number());
        }
        if (tenure.staged()) {
            out.name("staged").ascii("true");
        }
        if (!tenure.marks().isEmpty()) {
            marks(out, tenure.marks());
        }
    }

    /** {@code [wall]}, {@code [wall,nanos,boot]}, or {@code [wall,nanos]} of a boot that was just named. */
    private static void moment(LineBuffer out, Moment moment, @Nullable String named) {
        out.ascii("[").time(moment.wall());
        if (!moment.boot().isEmpty() || moment.nanos() != 0) {
            out.ascii(",").number(moment.nanos());
            if (!moment.boot().equals(named)) {
                out.ascii(",").string(moment.boot());
            }
        }
        out.ascii("]");
    }

    private static void marks(LineBuffer out, List<Mark> marks) {
        out.name("marks");
        String separator = "[";
        for (Mark mark : marks) {
            out.ascii(separator).ascii("[").string(mark.name());
            if (mark.child() != null) {
                out.ascii(",");
                process(out, mark.child());
            }
            out.ascii("]");
            separator = ",";
        }
        out.ascii("]");
    }

    private static void process(LineBuffer out, ProcessRef process) {
        out.string(process.host()).ascii(",").number(process.pid()).ascii(",").number(process.start());
    }

    private static void labels(LineBuffer out, Map<String, String> labels) {
        out.name("labels");
        String separator = "{";
        for (Map.Entry<String, String> label : new TreeMap<>(labels).entrySet()) {
            out.ascii(separator).string(label.getKey()).ascii(":").string(label.getValue());
            separator = ",";
        }
        out.ascii("}");
    }

    private static void text(LineBuffer out, String name, @Nullable String text) {
        if (text != null) {
            out.name(name).string(text);
        }
    }

    private static void unless(LineBuffer out, String name, String value, String usual) {
        if (!value.equals(usual)) {
            out.name(name).string(value);
        }
    }

    static @Nullable Retention retentionOf(@Nullable Settlement how) {
        if (how instanceof Settlement.Completed completed) {
            return completed.retention();
        } else if (how instanceof Settlement.Failed failed) {
            return failed.retention();
        }
        return how instanceof Settlement.NotExecuted notExecuted ? notExecuted.retention() : null;
    }
}
