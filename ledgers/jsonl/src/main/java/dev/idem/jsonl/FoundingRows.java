package dev.idem.jsonl;

import dev.idem.Address;
import dev.idem.internal.codec.RequestLine;
import dev.idem.jsonl.line.NewRow;
import dev.idem.spi.AttemptId;
import dev.idem.spi.Claim;
import dev.idem.spi.ClaimRequest;
import dev.idem.spi.EntryStore;
import dev.idem.spi.Fingerprints;
import dev.idem.spi.Labels;
import dev.idem.spi.Moment;
import dev.idem.spi.Owner;
import dev.idem.spi.Processes;
import dev.idem.spi.Retention;
import dev.idem.spi.Ticket;
import dev.idem.spi.store.StoreLedger;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Collects the rows for the requests of a founding file: each is claimed and settled at the time of its line. */
final class FoundingRows implements EntryStore {
    private static final Duration AT_ONCE = Duration.ofNanos(1);

    private static final Retention FOR_GOOD = Retention.of(RequestLine.FOR_GOOD);

    private Moment now = Moment.ofWall(Instant.EPOCH);
    private long fence;
    private @Nullable NewRow last;

    private FoundingRows() {}

    static List<NewRow> of(List<RequestLine> lines, Instant now) {
        FoundingRows store = new FoundingRows();
        List<NewRow> rows = new ArrayList<>(lines.size());
        try (StoreLedger ledger = new StoreLedger(store, Processes.unknown())) {
            for (RequestLine line : lines) {
                rows.add(store.row(ledger, line, now));
            }
        }
        return rows;
    }

    private NewRow row(StoreLedger ledger, RequestLine line, Instant takenOver) {
        Address at = FoundingFile.address(line);
        now = Moment.ofWall(Objects.requireNonNullElse(line.at(), takenOver));
        last = null;
        AttemptId id = new AttemptId(0, fence + 1);
        ClaimRequest request = ClaimRequest.of(id, at, Fingerprints.NONE, Owner.named("taken over"))
                .withLease(AT_ONCE)
                .withTimeLimit(AT_ONCE)
                .withLabels(at.key().equals(line.id()) ? Map.of() : Map.of("id", Labels.value(line.id())));
        Claim claim = ledger.claim(request);
        ledger.settle(claim.entry().ticket(), line.ending(FOR_GOOD));
        NewRow settled = last;
        if (settled == null) {
            throw new IllegalStateException("a request that was settled has a row");
        }
        return settled;
    }

    @Override
    public Found insert(Address at, Draft first) {
        return new Found(write(NewRow.of(at, null, first, now, () -> ++fence)), true, now);
    }

    @Override
    public Found read(Address at) {
        return new Found(last == null ? null : last.row(), false, now);
    }

    @Override
    public Swap replace(Row seen, Draft next, Guard guard) {
        return new Swap.Written(write(NewRow.of(seen.at(), seen, next, now, () -> ++fence)));
    }

    private Row write(NewRow next) {
        last = next;
        return next.row();
    }

    @Override
    public Renewed renew(Map<Ticket, Duration> leases) {
        throw new UnsupportedOperationException("requests of a founding file are not renewed");
    }

    @Override
    public String describe() {
        return "the requests of a founding file";
    }

    @Override
    public void close() {}
}
