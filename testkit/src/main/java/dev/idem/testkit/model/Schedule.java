package dev.idem.testkit.model;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idem.Address;
import dev.idem.Entry;
import dev.idem.Repeat;
import dev.idem.spi.AttemptId;
import dev.idem.spi.Claim;
import dev.idem.spi.ClaimRequest;
import dev.idem.spi.Fence;
import dev.idem.spi.Fingerprints;
import dev.idem.spi.Ledger;
import dev.idem.spi.LedgerContext;
import dev.idem.spi.Mark;
import dev.idem.spi.Owner;
import dev.idem.spi.ProcessRef;
import dev.idem.spi.Retention;
import dev.idem.spi.Settled;
import dev.idem.spi.Settlement;
import dev.idem.spi.TakeOver;
import dev.idem.spi.Ticket;
import dev.idem.spi.browse.Browsable;
import dev.idem.testkit.LedgerFixture;
import dev.idem.testkit.SettableClocks;
import dev.idem.testkit.SettableProcesses;
import dev.idem.testkit.Settlements;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** One random schedule: the same steps on a ledger and on the model, compared after each. */
final class Schedule implements AutoCloseable {
    private static final List<Address> ADDRESSES =
            List.of(new Address("shop", "charge", "one"), new Address("shop", "charge", "two"));
    private static final List<Duration> SPANS = List.of(
            Duration.ofSeconds(1),
            Duration.ofSeconds(10),
            Duration.ofSeconds(30),
            Duration.ofMinutes(2),
            Duration.ofMinutes(20),
            Duration.ofHours(2));
    private static final List<TakeOver> TAKE_OVERS = List.of(TakeOver.values());

    private final long seed;
    private final Random random;
    private final LedgerFixture fixture;
    private final SettableClocks clocks;
    private final SettableProcesses processes = new SettableProcesses();
    private final Model model;
    private final List<Supplier<String>> story = new ArrayList<>();
    private final List<ClaimRequest> requests = new ArrayList<>();
    private final List<Ticket> tickets = new ArrayList<>();
    private final List<Owner> owners = new ArrayList<>();
    /** Snapshots: the first one of each entry in each state. */
    private final List<Entry> looks = new ArrayList<>();

    private final List<ProcessRef> children = new ArrayList<>();
    private Ledger ledger;
    private int count;

    Schedule(LedgerFixture fixture, long seed) {
        this.fixture = fixture;
        this.seed = seed;
        this.random = new Random(seed);
        this.clocks = fixture.clocks();
        this.model = new Model(clocks, processes);
        this.ledger = fixture.open(new LedgerContext(clocks, processes));
        owners.add(Owner.named("nameless"));
        owners.add(new Owner("elsewhere", processes.elsewhere()));
        owners.add(processes.startOwner());
        owners.add(processes.startOwner());
    }

    /** Runs the steps and fails at the first difference. */
    void run(int steps) {
        try {
            for (int i = 0; i < steps; i++) {
                step();
                ADDRESSES.forEach(this::compare);
            }
        } catch (AssertionError e) {
            throw new AssertionError(
                    "seed " + seed + " (-D" + RandomSchedules.SEED + "=" + seed + "): " + e.getMessage() + "\nafter\n  "
                            + story.stream().map(Supplier::get).collect(Collectors.joining("\n  ")),
                    e);
        }
    }

    private void step() {
        count++;
        int dice = random.nextInt(100);
        if (dice < 30) {
            claim(fresh());
        } else if (dice < 35) {
            claimAgain();
        } else if (dice < 43) {
            renew();
        } else if (dice < 53) {
            mark();
        } else if (dice < 70) {
            settle();
        } else if (dice < 74) {
            resolve();
        } else if (dice < 78) {
            forget();
        } else if (dice < 80) {
            purge();
        } else {
            happen(dice);
        }
    }

    private void happen(int dice) {
        if (dice < 91) {
            Duration span = dice == 90 ? Duration.ofDays(10) : any(SPANS);
            tell(() -> "pass " + span);
            clocks.advance(span);
        } else if (dice < 94) {
            Duration step = any(SPANS).multipliedBy(random.nextBoolean() ? 10 : -10);
            tell(() -> "step the wall " + step);
            clocks.stepWall(step);
        } else if (dice < 95) {
            tell(() -> "reboot");
            clocks.reboot();
        } else if (dice < 98) {
            int which = 2 + random.nextInt(2);
            Owner owner = owners.get(which);
            tell(() -> "kill " + owner.name());
            processes.kill(owner);
            owners.set(which, processes.startOwner());
        } else if (dice < 99 && !children.isEmpty()) {
            ProcessRef child = any(children);
            tell(() -> "kill child " + child);
            processes.kill(child);
        } else if (fixture.durable()) {
            tell(() -> "reopen");
            ledger.close();
            ledger = fixture.open(new LedgerContext(clocks, processes));
        }
    }

    private ClaimRequest fresh() {
        Fingerprints fingerprints = switch (random.nextInt(8)) {
            case 0 -> Fingerprints.NONE;
            case 1 -> new Fingerprints("other", null);
            default -> new Fingerprints("same", "content " + count);
        };
        ClaimRequest request = ClaimRequest.of(new AttemptId(7, count), any(ADDRESSES), fingerprints, any(owners))
                .withLease(any(SPANS.subList(1, 4)))
                .withTimeLimit(any(SPANS.subList(1, 5)))
                .withGrace(random.nextInt(3) == 0 ? Duration.ofSeconds(10) : Duration.ZERO)
                .withStaged(random.nextBoolean())
                .withTakeOver(any(TAKE_OVERS))
                .withRepeat(count % 4 == 0 ? Repeat.RUN : Repeat.REPLAY);
        requests.add(request);
        return request;
    }

    private void claim(ClaimRequest request) {
        Claim claim = ledger.claim(request);
        String answer = word(claim);
        tell(() -> "claim " + request.address().key() + " as "
                + request.attemptId().low() + " by "
                + request.owner().name() + ", identity "
                + request.fingerprints().identity()
                + (request.staged() ? ", staged" : "") + ", take-over " + request.takeOver() + ", repeat "
                + request.repeat() + ", lease "
                + request.lease() + ", limit " + request.timeLimit() + ", grace " + request.grace() + ": " + answer);
        agree(answer, model.claim(request, claim.entry().fence().number()));
        agree(Picture.of(claim.entry()), model.find(request.address()));
        if (claim instanceof Claim.Granted granted) {
            tickets.add(granted.ticket());
        }
    }

    /** After a lost answer a living owner claims again. */
    private void claimAgain() {
        List<ClaimRequest> living = requests.stream()
                .filter(request -> owners.contains(request.owner()))
                .toList();
        if (!living.isEmpty()) {
            claim(recent(living));
        }
    }

    private static String word(Claim claim) {
        if (claim instanceof Claim.InFlight inFlight) {
            return "InFlight for " + inFlight.leaseLeft();
        }
        return claim instanceof Claim.InDoubt inDoubt
                ? "InDoubt, probe in " + inDoubt.probeIn()
                : claim.getClass().getSimpleName();
    }

    private void renew() {
        Ticket ticket = ticket();
        Duration lease = any(SPANS.subList(1, 4));
        boolean renewed = ledger.renew(ticket, lease);
        tell(() -> "renew " + name(ticket) + " for " + lease + ": " + renewed);
        agree(renewed, model.renew(ticket, lease));
    }

    private void mark() {
        Ticket ticket = ticket();
        ProcessRef child = random.nextInt(4) == 0 ? processes.start() : null;
        if (child != null) {
            children.add(child);
        }
        Mark mark = new Mark("mark " + count, child);
        boolean marked = ledger.mark(ticket, mark);
        tell(() -> "mark " + name(ticket) + " " + mark + ": " + marked);
        agree(marked, model.mark(ticket, mark));
    }

    private void settle() {
        Ticket ticket = ticket();
        Settlement how = settlement();
        Settled settled = ledger.settle(ticket, how);
        tell(() -> "settle " + name(ticket) + " " + how + ": " + settled);
        String expected = model.settle(ticket, how);
        if (expected == null) {
            assertThat(settled).isInstanceOfAny(Settled.Already.class, Settled.Stale.class);
            return;
        }
        agree(settled.getClass().getSimpleName(), expected);
        Entry told = settled instanceof Settled.Recorded recorded
                ? recorded.entry()
                : settled instanceof Settled.Already already ? already.entry() : ((Settled.Stale) settled).entry();
        agree(picture(told), model.find(ticket.address()));
    }

    private static @Nullable Picture picture(@Nullable Entry entry) {
        return entry == null ? null : Picture.of(entry);
    }

    private Settlement settlement() {
        Retention retention = new Retention(
                any(SPANS.subList(3, 6)), random.nextInt(3) == 0 ? Duration.ofMinutes(30) : Duration.ZERO);
        return switch (random.nextInt(6)) {
            case 0, 1 -> Settlements.completed("\"result " + count + "\"", retention);
            case 2 -> Settlements.failed(retention);
            case 3 -> new Settlement.Failed(Settlements.failedForGood().failure(), random.nextBoolean(), retention);
            case 4 -> new Settlement.NotExecuted("evidence " + count, retention);
            default -> Settlements.doubtful();
        };
    }

    private void resolve() {
        Address address = any(ADDRESSES);
        Fence seen = seen(address);
        Settlement how = settlement();
        boolean may = model.mayResolve(address, seen.number(), how);
        boolean resolved = ledger.resolve(address, seen, how);
        tell(() -> "resolve " + address.key() + " seen at " + seen + " " + how + ": " + resolved);
        agree(resolved, may);
        if (resolved) {
            model.resolve(
                    address, how, ledger.find(address).orElseThrow().fence().number());
        }
    }

    /** Forgets by an earlier snapshot: the entry may have changed since. */
    private void forget() {
        if (looks.isEmpty()) {
            return;
        }
        Entry seen = look(any(ADDRESSES));
        boolean forgotten = ledger.forget(seen);
        tell(() -> "forget " + name(seen.ticket()) + ", seen " + seen.state().word() + ": " + forgotten);
        agree(forgotten, model.forget(seen.address(), seen.fence().number(), seen.state()));
    }

    private void purge() {
        ledger.as(Browsable.class).ifPresent(browsable -> {
            int purged = browsable.purge(1_000);
            tell(() -> "purge: " + purged);
            agree(purged, model.purge());
        });
    }

    private void compare(Address address) {
        Entry found = ledger.find(address).orElse(null);
        agree(picture(found), model.find(address));
        if (found != null && looks.stream().noneMatch(look -> sameLook(look, found))) {
            looks.add(found);
        }
    }

    private static boolean sameLook(Entry one, Entry other) {
        return one.ticket().equals(other.ticket()) && one.state() == other.state();
    }

    private Ticket ticket() {
        return tickets.isEmpty() ? new Ticket(any(ADDRESSES), new Fence(1_000_000)) : recent(tickets);
    }

    /** Mostly the current fence, sometimes an older one. */
    private Fence seen(Address address) {
        Picture there = model.find(address);
        if (there != null && random.nextInt(4) > 0) {
            return new Fence(there.fence());
        }
        return ticket().fence();
    }

    /** Mostly a snapshot of the current entry in any of its states, sometimes of an older or another one. */
    private Entry look(Address address) {
        Picture there = model.find(address);
        List<Entry> ofThere = looks.stream()
                .filter(look -> there != null
                        && look.address().equals(address)
                        && look.fence().number() == there.fence())
                .toList();
        return ofThere.isEmpty() || random.nextInt(4) == 0 ? recent(looks) : any(ofThere);
    }

    private <T> T any(List<T> list) {
        return list.get(random.nextInt(list.size()));
    }

    /** The newest element in half of the cases. */
    private <T> T recent(List<T> list) {
        int back = random.nextBoolean() ? 0 : random.nextInt(Math.min(4, list.size()));
        return list.get(list.size() - 1 - back);
    }

    private static String name(Ticket ticket) {
        return ticket.address().key() + " with fence " + ticket.fence();
    }

    /** Adds to the log, which becomes text only for a failure. */
    private void tell(Supplier<String> step) {
        story.add(step);
    }

    private static void agree(@Nullable Object actual, @Nullable Object expected) {
        if (!Objects.equals(actual, expected)) {
            assertThat(actual).isEqualTo(expected);
        }
    }

    @Override
    public void close() {
        ledger.close();
    }
}
