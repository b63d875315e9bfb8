package dev.idem.cli.entry;

import dev.idem.Address;
import dev.idem.Entry;
import dev.idem.Json;
import dev.idem.JsonException;
import dev.idem.State;
import dev.idem.cli.around.Surroundings;
import dev.idem.cli.recorded.Given;
import dev.idem.cli.syntax.Arguments;
import dev.idem.cli.syntax.Option;
import dev.idem.cli.syntax.Options;
import dev.idem.cli.syntax.UsageException;
import dev.idem.command.Answer;
import dev.idem.command.ExitCode;
import dev.idem.spi.Fence;
import dev.idem.spi.Ledger;
import dev.idem.spi.Settlement;
import dev.idem.spi.browse.Browsable;
import dev.idem.spi.browse.Page;
import dev.idem.spi.browse.Query;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * {@code idem resolve} for several entries. A dry run lists the entries of a filter with their fences; its answer is the
 * plan of the real run, which resolves each entry only if it still has that fence. An entry that came or changed in
 * between is not resolved: the person has not seen its new state.
 */
final class ResolvingMany {
    private static final List<Option> SELECTING = List.of(
            ResolveCommand.PLAN,
            Queries.STATE,
            Queries.ONLY_KEY,
            Queries.ONLY_LABEL,
            Queries.OLDER_THAN,
            Queries.NEWER_THAN,
            Queries.TRIES,
            Queries.MESSAGE);

    private final Surroundings around;
    private final Arguments arguments;
    private final State wanted;

    ResolvingMany(Surroundings around, Arguments arguments) {
        this.around = around;
        this.arguments = arguments;
        this.wanted = arguments.choice(ResolveCommand.AS) == 0 ? State.COMPLETE : State.FAILED;
    }

    /** Refuses a key together with what selects several entries. */
    static void requireNone(Arguments arguments) {
        for (Option option : SELECTING) {
            if (arguments.flag(option) || !arguments.all(option).isEmpty()) {
                throw new UsageException(option.name() + " selects several entries; leave out the key");
            }
        }
    }

    /** An entry of the plan. */
    private record Planned(Address address, Fence fence) {}

    Answer run() throws IOException {
        String plan = arguments.find(ResolveCommand.PLAN);
        if (arguments.find(ResolveCommand.RESULT) != null) {
            throw new UsageException("--result is that of one entry; give its key. For several: --no-result");
        } else if (plan == null && !arguments.flag(Options.DRY_RUN)) {
            throw new UsageException(
                    "resolve needs a KEY. For several entries: first select them with --dry-run --json "
                            + "and look at them, then give that output as --plan");
        }
        List<Planned> planned = plan == null ? List.of() : read(plan);
        Query query = Queries.of(arguments, around.host().now().wall());
        try (Ledger ledger = LedgerPlace.open(around, arguments)) {
            if (plan != null) {
                return resolved(ledger, planned);
            }
            Browsable browsable = ledger.as(Browsable.class).orElse(null);
            return browsable == null ? Queries.notBrowsable(ledger) : listed(browsable, query);
        }
    }

    private Answer listed(Browsable browsable, Query query) throws IOException {
        Query open = query.states().isEmpty() ? query.withStates(State.IN_DOUBT) : query;
        Page page = Listing.of(
                browsable,
                open,
                arguments.find(Queries.ONLY_KEY),
                Queries.sieve(arguments, null, Set.of()),
                around.signals());
        for (Entry entry : page.entries()) {
            // Refused now and not in the middle of the real run.
            settlement(entry.address());
        }
        Answer answer = Answer.ok(page.entries().isEmpty() ? "noop" : "would_update")
                .with("as", wanted.word())
                .with("entries", page.entries().stream().map(EntryFields::entry).toList())
                .text(EntryText.table(page.entries(), around));
        Queries.tellUnreadable(answer, page.unreadable());
        if (page.next() != null) {
            answer.warn("MORE", "there are more entries; raise --limit, or make a second plan after the first");
        }
        return answer.line("would resolve " + page.entries().size() + " as " + wanted.word()
                + "; to do it: the same with --json > plan.json, then resolve --as " + wanted.word()
                + " --plan plan.json");
    }

    private Answer resolved(Ledger ledger, List<Planned> planned) throws IOException {
        List<Object> done = new ArrayList<>();
        List<Object> already = new ArrayList<>();
        List<Object> changed = new ArrayList<>();
        boolean dry = arguments.flag(Options.DRY_RUN);
        for (Planned each : planned) {
            if (around.signals().exitCode() != null) {
                break;
            }
            Entry entry = ledger.find(each.address()).orElse(null);
            if (entry == null) {
                changed.add(EntryFields.call("noop", each.address()));
            } else if (entry.state() == wanted) {
                already.add(EntryFields.found("noop", entry));
            } else if (entry.fence().equals(each.fence())
                    && entry.state() != State.IN_PROGRESS
                    && (dry || ledger.resolve(each.address(), each.fence(), settlement(each.address())))) {
                done.add(EntryFields.found(dry ? "would_update" : "updated", entry));
            } else {
                changed.add(
                        EntryFields.found("noop", ledger.find(each.address()).orElse(entry)));
            }
        }
        String effect = done.isEmpty() ? "noop" : dry ? "would_update" : "updated";
        String words = (dry ? "would resolve " : "resolved ") + done.size() + " as " + wanted.word()
                + (already.isEmpty() ? "" : "; " + already.size() + " were so already")
                + (changed.isEmpty() ? "" : "; " + changed.size() + " have changed since the plan and were left alone");
        Answer answer = changed.isEmpty()
                ? Answer.ok(effect).text(words + "\n")
                : Answer.no(ExitCode.PARTIAL_FAILURE, "CHANGED", words)
                        .fix("look at data.changed, then make a new plan for them");
        return answer.with("effect", effect)
                .with("as", wanted.word())
                .with("resolved", done)
                .with("already", already)
                .with("changed", changed);
    }

    private Settlement settlement(Address address) throws IOException {
        return new Resolving(around, arguments).settlement(address.operation());
    }

    /** The entries of a dry run's answer, in the envelope or flat. */
    private List<Planned> read(String name) throws IOException {
        List<Planned> planned = new ArrayList<>();
        try {
            Object answer = Json.parse(
                    name.equals("-")
                            ? Given.bytes(name, around)
                            : Files.readAllBytes(around.directory().resolve(name)));
            Object data = answer instanceof Map<?, ?> envelope ? envelope.get("data") : null;
            Map<?, ?> fields = data instanceof Map<?, ?> map ? map : new LinkedHashMap<>();
            if (!wanted.word().equals(fields.get("as")) || !(fields.get("entries") instanceof List<?> entries)) {
                throw new UsageException(
                        "--plan: '" + name + "' is not the JSON of a dry run of resolve --as " + wanted.word());
            }
            for (Object entry : entries) {
                planned.add(planned((Map<?, ?>) entry));
            }
        } catch (IOException | InvalidPathException e) {
            throw new UsageException("--plan: '" + name + "' can't be read: " + e);
        } catch (JsonException | ClassCastException | IllegalArgumentException e) {
            throw new UsageException("--plan: '" + name + "' is no plan: " + e.getMessage());
        }
        return planned;
    }

    private static Planned planned(Map<?, ?> entry) {
        @Nullable Object fence = entry.get("fence");
        Address address = new Address(
                String.valueOf(entry.get("scope")),
                String.valueOf(entry.get("operation")),
                String.valueOf(entry.get("key")));
        return new Planned(address, new Fence(((Number) Objects.requireNonNull(fence)).longValue()));
    }
}
