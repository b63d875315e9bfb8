package dev.idem.redis;

import dev.idem.entry.Address;
import dev.idem.entry.Entry;
import dev.idem.entry.Fence;
import dev.idem.entry.Mark;
import dev.idem.entry.Moment;
import dev.idem.entry.Settlement;
import dev.idem.entry.State;
import dev.idem.entry.Ticket;
import dev.idem.error.LedgerException;
import dev.idem.error.LedgerUnavailableException;
import dev.idem.ledger.Awaitable;
import dev.idem.ledger.Browsable;
import dev.idem.ledger.Claim;
import dev.idem.ledger.ClaimRequest;
import dev.idem.ledger.GroupRenewing;
import dev.idem.ledger.Ledger;
import dev.idem.ledger.LedgerContext;
import dev.idem.ledger.Page;
import dev.idem.ledger.Processes;
import dev.idem.ledger.Query;
import dev.idem.ledger.Settled;
import dev.idem.ledger.StateMachine;
import dev.idem.ledger.Stats;
import dev.idem.ledger.Step;
import dev.idem.ledger.TakeOver;
import dev.idem.ledger.Watches;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.exceptions.JedisException;

/**
 * Entries in Redis, for threads, processes and hosts. Each step is one script on one key. The scripts decide what is
 * written; what is answered follows from the entry they found and the server's time, by the rules all ledgers share.
 */
public final class RedisLedger implements Ledger, Browsable, Awaitable, GroupRenewing {
    private static final int MOST_JUDGEMENTS = 16;
    private static final byte[][] NOT_JUDGED = {};
    private static final byte[] ONE = {'1'};
    private static final byte[] TWO = {'2'};
    private static final byte[] ZERO = {'0'};
    private static final byte[] NO_TAKE_OVER = {'N'};
    private static final byte[] TO_PROBE = {'P'};
    private static final byte[] TO_RERUN = {'R'};

    private final Processes processes;
    private final StateMachine rules;
    private final Keys keys;
    private final Scripts scripts;
    private final ClaimPacking claims = new ClaimPacking();
    private final Ending endings;
    private final byte[] stubMillis;
    private final RedisOptions options;
    private final RedisErrors errors;
    private final Nodes nodes;
    private final Calls calls;
    private final Browsing browsing;
    private final Purge purge;
    private final Renewals renewals;
    private final Watches watches = new Watches();
    private final Wakes wakes;
    private final String settings;
    private volatile boolean closed;

    private RedisLedger(RedisOptions options, LedgerContext context, ServerClock clock, Nodes nodes, String settings) {
        this.processes = context.processes();
        this.rules = new StateMachine(processes);
        this.keys = new Keys(options.prefix());
        this.scripts = new Scripts(clock);
        this.endings = new Ending(options.stub());
        this.stubMillis = Digits.plain(options.stub().toMillis());
        this.options = options;
        this.errors = new RedisErrors(options);
        this.nodes = nodes;
        this.calls = new Calls(nodes, options, errors, clock);
        Scan scan = new Scan(nodes, keys, calls, scripts.now);
        this.browsing = new Browsing(scan, rules);
        this.purge = new Purge(scan, key -> (Long) calls.run(scripts.purge, key, stubMillis) == 1);
        this.renewals = new Renewals(nodes, calls, keys, scripts.renew);
        this.wakes = new Wakes(nodes, keys, watches, options.prefix());
        this.settings = settings;
    }

    static RedisLedger open(RedisOptions options, LedgerContext context) {
        return open(options, context, ServerClock.ofServer());
    }

    /** Connects and looks at the server's settings. */
    static RedisLedger open(RedisOptions options, LedgerContext context, ServerClock clock) {
        RedisErrors errors = new RedisErrors(options);
        Nodes nodes = null;
        try {
            nodes = options.cluster()
                    ? new ClusterNodes(options, Clients.config(options))
                    : new SingleNode(options, Clients.config(options));
            String settings = new ServerCheck(nodes, options, errors).settings();
            return new RedisLedger(options, context, clock, nodes, settings);
        } catch (JedisException e) {
            close(nodes);
            throw errors.of(e);
        } catch (LedgerException e) {
            close(nodes);
            throw e;
        }
    }

    private static void close(@Nullable Nodes nodes) {
        if (nodes != null) {
            nodes.close();
        }
    }

    @Override
    public Claim claim(ClaimRequest request) {
        requireOpen();
        ClaimRequest asked = Whole.of(request);
        Address address = asked.address();
        byte[] key = keys.of(address);
        byte[][] arguments = {
            claims.pack(asked),
            letter(asked.takeOver()),
            asked.grace().isZero() ? ZERO : Digits.plain(Digits.micros(asked.grace()))
        };
        byte[][] judged = NOT_JUDGED;
        @Nullable Fence judgedFence = null;
        for (int i = 0; i < MOST_JUDGEMENTS; i++) {
            Reply reply = Reply.of(
                    calls.runReplicated(scripts.claim, Reply::changed, key, Arguments.join(arguments, judged)));
            if (reply.kind() == Reply.FIRST) {
                watches.wake(address);
                return rules.claim(null, asked, reply.now(), reply::fence).answer();
            }
            Entry found = found(address, reply);
            if (reply.kind() == Reply.OVER) {
                watches.wake(address);
                return new Claim.Granted(found);
            }
            // The server knows no processes. Where they make a difference it is asked again, told what they are.
            Step<Claim> step = rules.claim(found, asked, reply.now(), found::fence);
            boolean knownBefore = found.fence().equals(judgedFence);
            if (!step.changes() && (knownBefore || !hangsOnTheOwner(step.answer(), found, reply.now()))) {
                return step.answer();
            }
            judged = Judgement.of(found, reply.length(), processes);
            judgedFence = found.fence();
        }
        throw changing(address);
    }

    /**
     * Whether it is in doubt only since its owner is dead. Since the entry was read, its owner may have settled and
     * ended: that it is dead proves something only if it was known before.
     */
    private static boolean hangsOnTheOwner(Claim claim, Entry entry, Moment now) {
        return claim instanceof Claim.InDoubt
                && entry.state() == State.IN_PROGRESS
                && now.wall().isBefore(entry.tenure().lease().wall());
    }

    private static byte[] letter(TakeOver takeOver) {
        return switch (takeOver) {
            case NONE -> NO_TAKE_OVER;
            case PROBE -> TO_PROBE;
            case RERUN -> TO_RERUN;
        };
    }

    private static Entry found(Address address, Reply reply) {
        Entry found = reply.entry(address);
        if (found == null) {
            throw new IllegalStateException("the script for claims left a stub at " + address);
        }
        return found;
    }

    @Override
    public boolean renew(Ticket ticket, Duration lease) {
        requireOpen();
        return renewals.one(ticket, lease);
    }

    @Override
    public Unrenewed renewAll(Map<Ticket, Duration> leases) {
        requireOpen();
        return renewals.all(leases);
    }

    @Override
    public boolean mark(Ticket ticket, Mark mark) {
        requireOpen();
        Object marked = calls.runReplicated(
                scripts.mark,
                Reply::changed,
                keys.of(ticket.address()),
                fence(ticket),
                mark.child() == null ? ONE : TWO,
                MarkSegment.pack(mark));
        watches.wake(ticket.address());
        return (Long) marked == 1;
    }

    @Override
    public Settled settle(Ticket ticket, Settlement how) {
        requireOpen();
        Settlement asked = Whole.of(how);
        Address address = ticket.address();
        byte[] key = keys.of(address);
        byte[][] arguments = asked instanceof Settlement.Doubtful
                ? endings.argumentsWithDoubt(ticket.fence(), asked)
                : endings.arguments(ticket.fence(), asked);
        Reply reply = Reply.of(calls.runReplicated(scripts.settle, Reply::changed, key, arguments));
        Settled answer =
                rules.settle(reply.entry(address), ticket, asked, reply.now()).answer();
        if (reply.kind() == Reply.RECORDED) {
            watches.wake(address);
        } else if (answer instanceof Settled.Already && options.replicas() > 0) {
            // What was written before may not have been acknowledged: whoever asks again wants to be sure.
            calls.runReplicated(scripts.touch, written -> true, key);
        }
        return answer;
    }

    @Override
    public Optional<Entry> find(Address address) {
        requireOpen();
        byte[] answer = (byte[]) calls.run(scripts.find, keys.of(address));
        Entry found = EntryUnpacking.unpack(address, answer, Digits.TIME);
        Moment now = Moment.ofWall(Digits.instant(Digits.read(answer, 0, Digits.TIME)));
        return found == null ? Optional.empty() : Optional.ofNullable(rules.view(found, now));
    }

    @Override
    public boolean resolve(Address address, Fence seen, Settlement how) {
        requireOpen();
        Settlement asked = Whole.of(how);
        return judging(
                address,
                scripts.resolve,
                endings.argumentsWithDoubt(seen, asked),
                reply -> rules.resolve(reply.entry(address), seen, asked, reply.now(), () -> seen));
    }

    @Override
    public boolean forget(Entry seen) {
        requireOpen();
        Address address = seen.address();
        byte[] state = seen.state().word().getBytes(StandardCharsets.US_ASCII);
        byte[][] arguments = {Digits.of(seen.fence().number(), Digits.TIME), state, stubMillis};
        return judging(
                address, scripts.forget, arguments, reply -> rules.forget(reply.entry(address), seen, reply.now()));
    }

    /** A change that is refused while a ticket lives, as the server sees it and as this host does. */
    private boolean judging(Address address, Script script, byte[][] arguments, Function<Reply, Step<Boolean>> judge) {
        byte[] key = keys.of(address);
        byte[][] judged = NOT_JUDGED;
        for (int i = 0; i < MOST_JUDGEMENTS; i++) {
            Reply reply = Reply.of(calls.runReplicated(script, Reply::changed, key, Arguments.join(arguments, judged)));
            if (reply.kind() == Reply.RECORDED) {
                watches.wake(address);
                return true;
            }
            if (!judge.apply(reply).changes()) {
                return false;
            }
            judged = Judgement.of(found(address, reply), reply.length(), processes);
        }
        throw changing(address);
    }

    @Override
    public Watch watch(Address address, Runnable wake) {
        requireOpen();
        return wakes.watch(address, wake);
    }

    @Override
    public Page browse(Query query) {
        requireOpen();
        return talking(() -> browsing.page(query));
    }

    @Override
    public int purge(int limit) {
        requireOpen();
        return talking(() -> purge.run(limit));
    }

    @Override
    public Stats stats() {
        requireOpen();
        return talking(browsing::stats);
    }

    private <T> T talking(Supplier<T> talk) {
        try {
            return talk.get();
        } catch (JedisException e) {
            throw errors.of(e);
        }
    }

    @Override
    public int largestResult() {
        return Ending.LARGEST_RESULT;
    }

    @Override
    public String describe() {
        return options + " (" + (options.cluster() ? "cluster, " : "") + "keys " + options.prefix() + "*, "
                + (options.replicas() == 0 ? "waits for no replica" : "waits for replicas: " + options.replicas())
                + ", " + settings + ")";
    }

    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        wakes.close();
        nodes.close();
    }

    private static byte[] fence(Ticket ticket) {
        return Digits.of(ticket.fence().number(), Digits.TIME);
    }

    private LedgerUnavailableException changing(Address address) {
        return errors.unavailable("has an entry, " + address + ", that changes faster than it can be judged", null);
    }

    private void requireOpen() {
        if (closed) {
            throw errors.unavailable("is closed", null);
        }
    }
}
