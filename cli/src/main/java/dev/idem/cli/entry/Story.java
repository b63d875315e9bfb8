package dev.idem.cli.entry;

import dev.idem.Entry;
import dev.idem.Idem;
import dev.idem.LedgerUnreadableException;
import dev.idem.agent.approval.Approvals;
import dev.idem.cli.around.Iso;
import dev.idem.cli.around.Surroundings;
import dev.idem.cli.syntax.Durations;
import dev.idem.command.Answer;
import dev.idem.command.Printable;
import dev.idem.seal.SealedLedger;
import dev.idem.spi.Doubt;
import dev.idem.spi.Failure;
import dev.idem.spi.Ledger;
import dev.idem.spi.ProcessRef;
import dev.idem.spi.ResolvedBy;
import dev.idem.spi.Settlement;
import dev.idem.spi.browse.Browsable;
import dev.idem.spi.browse.Historied;
import dev.idem.spi.browse.TrailLine;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The history of an entry in sentences: the events, the current state, the possible steps. Shows no payloads. */
final class Story {
    private final Entry entry;
    private final Surroundings around;
    private final Suggested suggested;

    Story(Entry entry, Surroundings around, Suggested suggested) {
        this.entry = entry;
        this.around = around;
        this.suggested = suggested;
    }

    Answer answer(Ledger ledger) {
        List<TrailLine> trail = ledger.as(Historied.class)
                .map(historied -> historied.trail(entry.address()))
                .orElse(List.of());
        List<String> happened = new ArrayList<>();
        trail.forEach(line -> happened.add(sentence(line)));
        if (happened.isEmpty()) {
            happened.add(Iso.local(entry.times().claimed()) + ": claimed by "
                    + entry.tenure().owner().name() + " (attempt " + entry.attempt() + ")");
        }
        happened.addAll(0, approvals(ledger));
        if (!entry.labels().isEmpty()) {
            happened.add(0, "It is about " + about());
        }
        String now = standing();
        List<String> next = next();
        StringBuilder text = new StringBuilder();
        happened.forEach(line -> text.append(Printable.line(line)).append(".\n"));
        text.append("Now: ").append(now).append(".\n");
        next.forEach(line -> text.append("You can: ").append(line).append('\n'));
        return Answer.ok(EntryFields.entry(entry))
                .with("story", happened)
                .with("now", now)
                .with("next", next)
                .text(Printable.text(text.toString()));
    }

    /** Who allowed the call, and why. */
    private List<String> approvals(Ledger ledger) {
        if (ledger.as(Browsable.class).isEmpty()) {
            return List.of();
        }
        try (Idem idem =
                Idem.builder().ledger(ledger).purgeEvery(Duration.ZERO).quiet().open()) {
            Approvals approvals = Approvals.on(idem);
            return approvals.of(entry.address()).stream()
                    .map(request -> approvals
                            .decision(request.key())
                            .map(made -> Iso.local(made.at()) + ": " + made.person()
                                    + (made.approved() ? " approved the call" : " denied the call")
                                    + (made.why().isEmpty() ? "" : ": " + made.why()))
                            .orElse(Iso.local(request.requestedAt())
                                    + ": it asked for an approval, which is not decided"))
                    .toList();
        } catch (LedgerUnreadableException | IllegalStateException e) {
            // A token of some scopes, or a seal without its key: the rest of the story can be told.
            return List.of("It is not known here who approved the call: " + e.getMessage());
        }
    }

    private String sentence(TrailLine line) {
        ResolvedBy by = line.resolution();
        if (by != null) {
            boolean named = by.who() != null || by.caller() != null;
            // The state stands before the text for people.
            return Iso.local(line.at()) + ": " + (named ? by.person() : "somebody") + " resolved it "
                    + line.detail().split(",", 2)[0] + " (fence " + line.fence() + ")"
                    + (by.why() == null ? "" : ": " + by.why());
        }
        String what = switch (line.event()) {
            case "granted" -> "claimed";
            case "probing" -> "claimed to find out whether it had happened";
            case "rerun" -> "claimed to run it again";
            case "marked" -> "left a mark";
            case "complete" -> "it was recorded as complete";
            case "failed" -> "it was recorded as failed: nothing happened";
            case "in_doubt" -> "it was recorded as in doubt";
            case "resolved" -> "somebody resolved it";
            case "forgotten" -> "a person had it forgotten";
            default -> line.event();
        };
        String detail = detail(line);
        return Iso.local(line.at()) + ": " + what + " (fence " + line.fence()
                + (detail.isEmpty() ? ")" : ", " + detail + ")");
    }

    /** Our own failure types are for programs; people get the end of the command, if it is still known. */
    private String detail(TrailLine line) {
        Failure failure = entry.failure();
        if (!Doubts.isCommandEnd(line.detail())) {
            return line.detail();
        }
        return failure != null
                        && failure.type().equals(line.detail())
                        && line.fence().equals(entry.fence())
                        && SealedLedger.keyIdOf(entry).isEmpty()
                ? Doubts.end(failure)
                : "by the command's exit";
    }

    private String standing() {
        return switch (entry.state()) {
            case COMPLETE ->
                "it is complete" + ago(entry.times().settled()) + ", and has answered " + entry.replays()
                        + (entry.replays() == 1 ? " duplicate" : " duplicates") + until() + note();
            case FAILED -> "it failed" + ago(entry.times().settled()) + why() + note() + "; " + afterFailure();
            case EXPIRED ->
                "it ran at " + Iso.local(Doubts.ran(entry))
                        + ", its result has expired, and its key is kept from running again";
            case IN_PROGRESS ->
                entry.tenure().owner().name() + " holds it" + ago(entry.times().claimed()) + child();
            case IN_DOUBT -> doubt();
        };
    }

    private String afterFailure() {
        return entry.settlement() instanceof Settlement.Failed failed && failed.kept()
                ? "the failure is kept, and every call gets it"
                : "the next call runs it again";
    }

    private String doubt() {
        Doubt doubt = entry.doubt();
        return doubt == null
                ? "it is in doubt"
                : "it is in doubt" + ago(Doubts.since(entry, doubt)) + ": " + Doubts.reason(entry, doubt) + message()
                        + ". It is unknown whether it took effect, and nothing runs it again by itself";
    }

    private List<String> next() {
        return switch (entry.state()) {
            case IN_DOUBT ->
                List.of(
                        "if it did happen: " + suggested.resolve("complete"),
                        "if it did not, so that it runs again: " + suggested.resolve("failed"));
            case IN_PROGRESS -> List.of("wait; it is in doubt once its owner is gone or its lease is over");
            case COMPLETE, EXPIRED -> List.of("use a new key for new work");
            case FAILED -> List.of("make the same call again");
        };
    }

    private String why() {
        Failure failure = entry.failure();
        if (failure != null && Doubts.isCommandEnd(failure.type())) {
            return SealedLedger.keyIdOf(entry).isEmpty() ? " (" + Doubts.end(failure) + ")" : "";
        }
        return failure == null
                ? ""
                : " (" + failure.type().substring(failure.type().lastIndexOf('.') + 1) + message() + ")";
    }

    /** The message, unless the reason contains it. */
    private String message() {
        Failure failure = entry.failure();
        String message = Doubts.message(entry);
        return failure == null
                        || message == null
                        || Doubts.isCommandEnd(failure.type())
                        || failure.type().equals("imported")
                ? ""
                : ": " + message;
    }

    private String note() {
        if (entry.resolution() != null) {
            return "; " + entry.resolution().told();
        }
        return entry.note() == null ? "" : "; recorded as text: " + entry.note();
    }

    /** The labels of the entry. */
    private String about() {
        List<String> labels = new ArrayList<>();
        new TreeMap<>(entry.labels()).forEach((name, value) -> labels.add(name + "=" + value));
        return String.join(", ", labels);
    }

    private String child() {
        ProcessRef child = entry.tenure().child();
        if (child == null) {
            return "";
        }
        // A process of another host or PID namespace is not visible here, even if the number is in use.
        return ", and its command (pid " + child.pid() + ") "
                + switch (around.host().of(child)) {
                    case ALIVE -> "runs";
                    case DEAD -> "has ended";
                    case UNKNOWN -> "is on another host or in another container, and can't be seen from here";
                };
    }

    private String until() {
        Instant expires = entry.times().expires();
        return expires == null ? "" : "; it answers until " + Iso.local(expires);
    }

    private String ago(@Nullable Instant when) {
        if (when == null) {
            return "";
        }
        Duration age = Duration.between(when, around.host().now().wall());
        return " since " + Iso.local(when) + (age.isNegative() ? "" : " (" + Durations.words(age) + " ago)");
    }
}
