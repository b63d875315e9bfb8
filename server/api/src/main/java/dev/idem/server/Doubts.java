package dev.idem.server;

import dev.idem.Entry;
import dev.idem.InDoubtException;
import dev.idem.NextStep;
import dev.idem.Policy;
import dev.idem.RemoteKeys;
import dev.idem.agent.tool.RefusalWords;
import dev.idem.internal.call.Recovery;
import dev.idem.internal.call.ResolveLine;
import dev.idem.spi.Doubt;
import dev.idem.spi.Host;
import dev.idem.spi.Ledger;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Tells what is known about a doubt, what settles it and when: as fields, for people and for a model. */
record Doubts(Host host, Ledger ledger) {
    Answer answer(Entry entry, Policy rules, boolean canProbe) {
        Doubt doubt = Objects.requireNonNull(entry.doubt());
        Recovery.WayOut way = Recovery.wayOut(rules, canProbe, age(entry));
        Duration probeIn = host.now().until(entry.tenure().limit().plus(Recovery.grace(rules)));
        Duration left = probeIn.isNegative() ? Duration.ZERO : probeIn;
        Instant probeAt = entry.tenure().limit().wall().plus(Recovery.grace(rules));
        boolean byItself = way != Recovery.WayOut.PERSON;
        String message = new InDoubtException(entry, doubt, new NextStep(next(entry, way, rules, probeAt), byItself))
                .getMessage();
        return Answer.of("in_doubt")
                .with("key", entry.address().key())
                .with("fence", entry.fence())
                .with("attempt", entry.attempt())
                .with("doubt", doubt.reason())
                .with("doubt_since", doubt.since())
                .with("next", way.word())
                .with("probe_at", probeAt)
                .withMillis("probe_in_ms", left)
                .with("entry", EntryFields.of(entry))
                .with("message", message)
                .with("for_model", forModel(entry, byItself, way == Recovery.WayOut.PROBE ? left : Duration.ZERO));
    }

    private static String forModel(Entry entry, boolean byItself, Duration probeIn) {
        String key = entry.address().key();
        Duration since =
                Duration.between(entry.times().claimed(), Instant.now()).plus(probeIn);
        long seconds = probeIn.isZero() ? 0 : since.plusMillis(999).toSeconds();
        return new RefusalWords(entry.address().operation())
                .inDoubt(
                        byItself
                                ? RefusalWords.settledByTheNextCall(key, seconds)
                                : RefusalWords.settledByAPerson(key));
    }

    private String next(Entry entry, Recovery.WayOut way, Policy policy, Instant probeAt) {
        return switch (way) {
            case SAME_KEY -> {
                RemoteKeys remote = Objects.requireNonNull(policy.passesKeyTo());
                yield "The next claim runs it again with the same key, which " + remote.name()
                        + " remembers and answers once";
            }
            case RERUN -> "The next claim runs it again, since its policy says that this does no harm";
            case PROBE ->
                "The first claim after " + probeAt.truncatedTo(ChronoUnit.SECONDS)
                        + " is answered 'probe': until then the last request of the attempt may still arrive";
            case PERSON ->
                "Find out whether the effect took place, then resolve the entry: "
                        + ResolveLine.of(ledger, entry.address(), policy)
                                .orElse("'resolve' as 'complete' with its result, or as 'not_executed'");
        };
    }

    private static Duration age(Entry entry) {
        Duration age = Duration.between(entry.began(), Instant.now());
        return age.isNegative() ? Duration.ZERO : age;
    }

    /** Whether the doubted attempt may still act, and until when; null if it can't. */
    @Nullable
    Instant mayActUntil(Entry entry) {
        return host.now().isBefore(entry.tenure().limit())
                ? entry.tenure().limit().wall()
                : null;
    }
}
