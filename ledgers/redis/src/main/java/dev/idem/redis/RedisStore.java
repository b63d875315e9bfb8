package dev.idem.redis;

import dev.idem.Address;
import dev.idem.LedgerException;
import dev.idem.LedgerUnavailableException;
import dev.idem.spi.Awaitable;
import dev.idem.spi.EntryStore;
import dev.idem.spi.Ticket;
import dev.idem.spi.Watches;
import dev.idem.spi.browse.Walkable;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.exceptions.JedisConnectionException;
import redis.clients.jedis.exceptions.JedisException;

/**
 * Rows in Redis, one key each, for threads, processes and hosts. Each step is one script on one key; times and fences
 * come from the server.
 */
final class RedisStore implements EntryStore, Walkable, Awaitable {
    private static final String NO_ROW = "-";
    private static final String NONE = "";

    private final RedisOptions options;
    private final ServerCheck check;
    private final String settings;
    private final RedisErrors errors;
    private final Nodes nodes;
    private final Calls calls;
    private final Keys keys;
    private final Walk walk;
    private final Watches watches = new Watches();
    private final Wakes wakes;
    private final Script read;
    private final Script write;
    private final Script renew;
    private final Script delete;
    private final Script touch;

    private RedisStore(RedisOptions options, ServerClock clock, Nodes nodes, RedisErrors errors) {
        this.options = options;
        this.check = new ServerCheck(nodes, options, errors);
        this.settings = check.settings();
        this.errors = errors;
        this.nodes = nodes;
        this.calls = new Calls(nodes, options, errors, clock);
        this.keys = new Keys(options.prefix());
        this.walk = new Walk(nodes, keys, calls, errors, Script.load("now.lua", clock));
        this.wakes = new Wakes(nodes, keys, watches, options.prefix());
        this.read = Script.load("read.lua", clock);
        this.write = Script.load("write.lua", clock);
        this.renew = Script.load("renew.lua", clock);
        this.delete = Script.load("delete.lua", clock);
        this.touch = Script.load("touch.lua", clock);
    }

    /** Connects and checks the server's settings. */
    static RedisStore open(RedisOptions options, ServerClock clock) {
        RedisErrors errors = new RedisErrors(options);
        Nodes nodes = null;
        try {
            nodes = options.cluster() ? new ClusterNodes(options) : new SingleNode(options);
            return new RedisStore(options, clock, nodes, errors);
        } catch (JedisException | LedgerException e) {
            if (nodes != null) {
                nodes.close();
            }
            throw e instanceof JedisException reported ? errors.of(reported) : e;
        }
    }

    /** Where entries may have been evicted, a first call may be a second one; what is stored still answers. */
    @Override
    public Found insert(Address at, Draft first) {
        Optional<String> eviction = eviction(at);
        if (eviction.isPresent()) {
            Found found = read(at);
            if (found.row() == null) {
                throw errors.unreadable(eviction.get(), null);
            }
            return found;
        }
        Object answer = write(at, NO_ROW, NONE, first);
        Row written = written(at, answer, first);
        return written == null
                ? found(at, (List<?>) answer)
                : new Found(written, true, RowText.moment((byte[]) answer));
    }

    private Optional<String> eviction(Address at) {
        try {
            return check.eviction(keys.of(at));
        } catch (JedisException e) {
            throw errors.of(e);
        }
    }

    @Override
    public Found read(Address at) {
        return found(at, (List<?>) calls.run(read, keys.of(at)));
    }

    @Override
    public Swap replace(Row seen, Draft next, Guard guard) {
        String lease = guard == Guard.VERSION
                ? NONE
                : Long.toString(RowText.micros(seen.lease().wall()));
        Row written = written(seen.at(), write(seen.at(), RowText.version(seen.version()), lease, next), next);
        return written == null ? new Swap.Changed() : new Swap.Written(written);
    }

    private Object write(Address at, String seenVersion, String seenLease, Draft draft) {
        byte[][] arguments = {
            ascii(seenVersion),
            ascii(seenLease),
            ascii(RowText.state(draft.state())),
            ascii(RowText.version(draft.version())),
            ascii(draft.newFence() ? "yes" : "no"),
            ascii(stamp(draft.stamp())),
            ascii(micros(draft.lease())),
            ascii(micros(draft.dueIn())),
            ascii(draft.removeAfter() == null ? NONE : millis(draft.removeAfter())),
            draft.document(),
            draft.body()
        };
        byte[][] sent = draft.body() == null ? Arrays.copyOf(arguments, arguments.length - 1) : arguments;
        return calls.runReplicated(write, RedisStore::isWritten, keys.of(at), sent);
    }

    private static String stamp(Stamp stamp) {
        return switch (stamp) {
            case NONE -> "none";
            case CLAIMED -> "claimed";
            case SETTLED -> "settled";
        };
    }

    /** The script answers a text if it has written, else a list. */
    private static boolean isWritten(Object answer) {
        return answer instanceof byte[];
    }

    private @Nullable Row written(Address at, Object answer, Draft draft) {
        if (!isWritten(answer)) {
            return null;
        }
        watches.wake(at);
        return RowText.written(at, (byte[]) answer, draft.document(), draft.body());
    }

    private static Found found(Address at, List<?> answer) {
        byte[] value = answer.size() < 2 ? null : (byte[]) answer.get(1);
        return new Found(value == null ? null : RowText.read(at, value), false, RowText.moment((byte[]) answer.get(0)));
    }

    private static String micros(@Nullable Duration duration) {
        return duration == null ? NONE : Long.toString(RowText.micros(duration));
    }

    private static String millis(Duration duration) {
        return Long.toString(RowText.micros(duration) / 1_000 + 1);
    }

    /** Waits only once for a server that does not answer, so that heartbeats to the others are in time. */
    @Override
    public Renewed renew(Map<Ticket, Duration> leases) {
        Set<Ticket> lost = new HashSet<>();
        Set<Ticket> unanswered = new HashSet<>();
        Set<String> silent = new HashSet<>();
        leases.forEach((ticket, lease) -> {
            byte[] key = keys.of(ticket.address());
            String node = nodes.holder(key);
            try {
                if (silent.contains(node)) {
                    unanswered.add(ticket);
                } else if ((Long) calls.run(renew, key, ascii(ticket.fence().toString()), ascii(micros(lease))) == 0) {
                    lost.add(ticket);
                }
            } catch (LedgerUnavailableException e) {
                unanswered.add(ticket);
                if (e.getCause() instanceof JedisConnectionException) {
                    silent.add(node);
                }
                System.getLogger("dev.idem")
                        .log(
                                Level.WARNING,
                                () -> "no answer to the renewal of " + ticket.address() + ": " + e.getMessage());
            }
        });
        return new Renewed(lost, unanswered);
    }

    /**
     * A read may return a write that too few replicas have acknowledged, so the acknowledgement is requested again. A
     * server that took over after the read may not have the row, and its replicas can't acknowledge it.
     */
    @Override
    public void confirm(Row row) {
        if (options.replicas() > 0) {
            byte[] version = ascii(RowText.version(row.version()));
            if ((Long) calls.runReplicated(touch, touched -> (Long) touched == 1, keys.of(row.at()), version) == 0) {
                throw new LedgerUnavailableException(
                        describe() + " has another entry for " + row.at() + " than before. Ask again", null);
            }
        }
    }

    @Override
    public Batch walk(boolean dueOnly, @Nullable String place) {
        return walk.batch(dueOnly, place);
    }

    @Override
    public boolean delete(Row seen) {
        byte[] version = ascii(RowText.version(seen.version()));
        return (Long) calls.run(delete, keys.of(seen.at()), version, ascii(millis(options.stub()))) == 1;
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    @Override
    public Watch watch(Address address, Runnable wake) {
        return wakes.watch(address, wake);
    }

    @Override
    public Duration keepsForgotten() {
        return options.stub();
    }

    /** The server holds a row several times while a script writes it. */
    @Override
    public int largestBody() {
        return 99_000_000;
    }

    @Override
    public String describe() {
        return options + " (" + (options.cluster() ? "cluster, " : "") + "keys " + options.prefix() + "*, "
                + (options.replicas() == 0 ? "waits for no replica" : "waits for replicas: " + options.replicas())
                + ", " + settings + ")";
    }

    @Override
    public void close() {
        wakes.close();
        nodes.close();
    }
}
