package dev.idem.server;

import dev.idem.Address;
import dev.idem.Entry;
import dev.idem.State;
import dev.idem.internal.codec.Codecs;
import dev.idem.spi.Effect;
import dev.idem.spi.Fence;
import dev.idem.spi.Host;
import dev.idem.spi.Ledger;
import dev.idem.spi.ResolvedBy;
import dev.idem.spi.Result;
import dev.idem.spi.Retention;
import dev.idem.spi.Settlement;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The decisions of a person about entries. Each names the fence and the state that the person saw, and carries the id of
 * its request, which is kept in the entry: a repeat is answered "done by you", also by another server.
 */
final class DecideMethods {
    static final int MOST_ITEMS = 500;
    private static final long CENTURY = Duration.ofDays(36_525).toMillis();
    private static final Pattern REQUEST_ID = Pattern.compile("[A-Za-z0-9_-]{8,64}");

    private final Ledger ledger;
    private final LookMethods look;
    private final Codecs codecs;
    private final Doubts doubts;

    DecideMethods(Ledger ledger, LookMethods look, Codecs codecs, Host host) {
        this.ledger = ledger;
        this.look = look;
        this.codecs = codecs;
        this.doubts = new Doubts(host, ledger);
    }

    /** An entry as a person saw it. */
    private record Seen(Address address, Fence fence, String state) {
        static Seen of(Params params) {
            return new Seen(params.address(Right.OPERATE), TicketMethods.fence(params), params.text("state"));
        }

        boolean isStill(Entry entry) {
            return entry.fence().equals(fence) && entry.state().word().equals(state);
        }
    }

    /** The decision itself, the same for each item. */
    private record Decision(String requestId, Settlement how, boolean evenThoughItMayAct) {
        boolean madeFor(Entry entry) {
            return entry.resolution() != null
                    && requestId.equals(entry.resolution().request());
        }
    }

    Answer resolve(Params params, Caller caller) {
        if (params.flag("dry_run")) {
            return items(params);
        }
        boolean many = params.has("items");
        List<Seen> seen = new ArrayList<>();
        if (many) {
            for (Params item : params.objects("items", MOST_ITEMS)) {
                seen.add(Seen.of(item));
                item.end();
            }
        } else {
            seen.add(Seen.of(params));
        }
        Decision decision = decision(params, caller);
        params.end();
        if (!many) {
            return resolved(seen.get(0), decision);
        }
        List<Map<String, @Nullable Object>> answers = new ArrayList<>();
        for (Seen each : seen) {
            Map<String, @Nullable Object> one = EntryFields.of(each.address());
            one.putAll(resolved(each, decision).members());
            answers.add(one);
        }
        return Answer.of("done").with("items", answers);
    }

    /** The items of a filter, to be shown to a person and sent back. Nothing is resolved that nobody has seen. */
    private Answer items(Params params) {
        Params filter = params.objectOrNull("filter");
        params.end();
        if (filter == null) {
            throw ApiException.malformed("a dry run needs a 'filter'; {} is every entry in doubt");
        }
        return Answer.of("would_resolve")
                .with(
                        "items",
                        look.doubts(filter, MOST_ITEMS).stream()
                                .map(EntryFields::of)
                                .toList());
    }

    private Decision decision(Params params, Caller caller) {
        String id = requestId(params);
        ResolvedBy person = caller.decided(params.textOrNull("who"), params.text("why"), id);
        Duration keep = Duration.ofMillis(
                params.number("retention_ms", Retention.DEFAULT.keep().toMillis(), 1, CENTURY));
        Retention retention = Retention.of(keep).withTombstone(keep);
        boolean even = params.flag("even_though_it_may_still_act");
        String word = params.text("as");
        if (word.equals("not_executed")) {
            return new Decision(id, new Settlement.NotExecuted(person, retention), even);
        } else if (!word.equals("complete")) {
            throw ApiException.malformed("'as' must be complete or not_executed. Nothing was resolved");
        }
        Result result = result(params, person);
        return new Decision(id, new Settlement.Completed(result, Effect.CREATED, retention, person), even);
    }

    private Result result(Params params, ResolvedBy person) {
        String json = (String) params.any(Params.RESULT);
        if (json == null) {
            return new Result.Unavailable(Settlement.toldWithoutResult(person.person(), person.why()));
        }
        Result result = codecs.encodeJson(json.getBytes(StandardCharsets.UTF_8));
        if (result instanceof Result.Unavailable unavailable) {
            throw new ApiException(ApiError.TOO_LARGE, "'result': " + unavailable.why() + ". Nothing was resolved");
        }
        return result;
    }

    private static String requestId(Params params) {
        String id = params.text("request_id");
        if (!REQUEST_ID.matcher(id).matches()) {
            throw ApiException.malformed("'request_id' must be 8 to 64 letters, digits, - or _, new for each decision");
        }
        return id;
    }

    private Answer resolved(Seen seen, Decision decision) {
        Entry entry = ledger.find(seen.address()).orElse(null);
        if (entry == null) {
            return Answer.of("gone");
        } else if (decision.madeFor(entry)) {
            return decision.how().getClass()
                            == Objects.requireNonNull(entry.settlement()).getClass()
                    ? Answer.of("done")
                            .with("by_you", true)
                            .with("state", entry.state().word())
                    : changed(entry);
        } else if (!seen.isStill(entry)) {
            return changed(entry);
        }
        Answer acting = decision.how() instanceof Settlement.NotExecuted && !decision.evenThoughItMayAct()
                ? mayStillAct(entry)
                : null;
        if (acting != null) {
            return acting;
        }
        if (ledger.resolve(seen.address(), seen.fence(), decision.how())) {
            return Answer.of("done")
                    .with("state", decision.how() instanceof Settlement.Completed ? "complete" : "failed");
        }
        Entry now = ledger.find(seen.address()).orElse(null);
        return now == null ? Answer.of("gone") : changed(now);
    }

    /** The refusal to free the key of an attempt that may still act; null where it can't. */
    private @Nullable Answer mayStillAct(Entry entry) {
        Instant until = doubts.mayActUntil(entry);
        return until == null
                ? null
                : Answer.of("may_still_act")
                        .with("until", until)
                        .with(
                                "message",
                                "the attempt may still act until " + until + ". Look again after that, or send "
                                        + "even_though_it_may_still_act. Nothing was changed");
    }

    /** Somebody was faster, or the entry can't be resolved. */
    private static Answer changed(Entry entry) {
        return Answer.of("changed")
                .with("entry", EntryFields.of(entry))
                .with(
                        "message",
                        "it is " + entry.state().word() + " now, with the fence " + entry.fence()
                                + ". This request has changed nothing");
    }

    Answer forget(Params params, Caller caller) {
        Seen seen = Seen.of(params);
        params.textOrNull("request_id");
        params.textOrNull("who");
        params.textOrNull("why");
        boolean even = params.flag("even_though_it_may_still_act");
        params.end();
        Entry entry = ledger.find(seen.address()).orElse(null);
        if (entry == null) {
            return Answer.of("gone");
        }
        Answer acting = entry.state() == State.IN_DOUBT && !even ? mayStillAct(entry) : null;
        if (acting != null && seen.isStill(entry)) {
            return acting;
        }
        return seen.isStill(entry) && ledger.forget(entry)
                ? Answer.of("done")
                : ledger.find(seen.address()).map(DecideMethods::changed).orElseGet(() -> Answer.of("gone"));
    }
}
