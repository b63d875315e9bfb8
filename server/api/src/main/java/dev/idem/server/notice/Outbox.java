package dev.idem.server.notice;

import dev.idem.Address;
import dev.idem.Entry;
import dev.idem.Idem;
import dev.idem.NotExecutedException;
import dev.idem.Operation;
import dev.idem.Outcome;
import dev.idem.Policy;
import dev.idem.Resolution;
import dev.idem.State;
import dev.idem.internal.codec.Codecs;
import dev.idem.server.Access;
import dev.idem.spi.Result;
import dev.idem.spi.browse.Browsable;
import dev.idem.spi.browse.Query;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.net.URI;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Tells one receiver about each need once, however many servers do this on one ledger and however often they die.
 *
 * <ol>
 *   <li>What a receiver is told is a row of batches, numbered from 1. A batch is an entry that runs once for its number. Its
 *       result has the messages, and the ids of all needs that the receiver was told about so far. So each need is in one
 *       batch, and a server that starts reads the newest batch alone.
 *   <li>A batch is made only when all messages of the one before have ended. Needs that come meanwhile are in one batch.
 *       While a batch is made, the ledger is asked whether a later one is there: a server that slept must not make
 *       an old one again.
 *   <li>Each message is an entry that runs once and sends it. Its id and body are in the batch, so they are the same
 *       whoever sends it.
 *   <li>A server that dies while it sends leaves that entry in doubt. The next look resolves it. If the receiver drops
 *       repeats, the message is sent again; if not, it may have arrived, and is not sent again.
 *   <li>A message that did not arrive leaves its entry failed, and is tried again after a time that doubles.
 *   <li>The newest batch is kept for good, or the needs that are still there would be told again. Those long before it are
 *       forgotten.
 * </ol>
 */
final class Outbox {
    private static final Logger LOG = System.getLogger("dev.idem");
    private static final Duration FOR_GOOD = Duration.ofDays(36_525);
    private static final int KEPT = 20;
    private static final int TRIES_OF_REFUSED = 10;
    /** The last pause is 64 times the first. */
    private static final int DOUBLED = 6;

    private static final Codecs READING = new Codecs(List.of(), Integer.MAX_VALUE, Integer.MAX_VALUE);

    private final Idem idem;
    private final Browsable ledger;
    private final Channel channel;
    private final @Nullable URI link;
    private final Duration every;
    private final String scope;
    private final Policy writing = Policy.idempotent()
            .lease(Duration.ofSeconds(10))
            .timeLimit(Duration.ofSeconds(10))
            .waitFor(Duration.ZERO)
            .retention(FOR_GOOD);
    private final Policy sending;

    private @Nullable Batch newest;
    /** The batch that is known to have ended. */
    private int ended;

    /** Messages that failed are tried again from here on. */
    private long notBefore = System.nanoTime();

    /** Whether the last try failed, and this was said. */
    private boolean silent;

    private boolean gone;
    private volatile boolean closed;

    Outbox(Idem idem, Channel channel, @Nullable URI link, Duration every) {
        this.idem = idem;
        this.ledger = idem.ledger().as(Browsable.class).orElseThrow();
        this.channel = channel;
        this.link = link;
        this.every = every;
        this.scope = Access.NOTICES + ":" + channel.id();
        this.sending = Policy.write()
                .lease(Duration.ofSeconds(30))
                .timeLimit(Duration.ofMinutes(1))
                .waitFor(Duration.ZERO)
                .retention(FOR_GOOD);
    }

    /** Sends what is due, given all that needs a person now. */
    void work(List<Need> needs) {
        if (gone || closed) {
            return;
        }
        Batch batch = newest();
        if (batch.number() != ended && !hasEnded(batch)) {
            return;
        }
        ended = batch.number();
        Batch next = next(batch, needs);
        if (next != null) {
            newest = next;
            forgetOld(next.number());
            hasEnded(next);
        }
    }

    /** The newest batch. Other servers may have made later ones than this one knows. */
    private Batch newest() {
        Batch known = newest;
        if (known == null) {
            known = read(number());
        }
        while (find(Access.NOTICE_BATCH, Integer.toString(known.number() + 1))
                .filter(Outbox::isComplete)
                .isPresent()) {
            known = read(known.number() + 1);
        }
        newest = known;
        return known;
    }

    /** The number of the newest batch, as the ledger says; 0 if there is none. */
    private int number() {
        return ledger
                .browse(Query.all()
                        .withScope(scope)
                        .withOperation(Access.NOTICE_BATCH)
                        .withStates(State.COMPLETE)
                        .withLimit(KEPT))
                .entries()
                .stream()
                .mapToInt(entry -> Integer.parseInt(entry.address().key()))
                .max()
                .orElse(0);
    }

    private Batch read(int number) {
        return number == 0 ? Batch.NONE : Batch.read(number, result(Access.NOTICE_BATCH, Integer.toString(number)));
    }

    private String result(String operation, String key) {
        Entry entry = find(operation, key).orElse(null);
        if (entry == null || !(entry.result() instanceof Result.Stored stored)) {
            throw new IllegalStateException("the " + operation + " " + key + " in " + scope + " is gone");
        }
        try {
            return (String) Objects.requireNonNull(READING.decode(stored.payload(), String.class));
        } catch (Exception e) {
            throw new IllegalStateException("the " + operation + " " + key + " in " + scope + " can't be read", e);
        }
    }

    private Optional<Entry> find(String operation, String key) {
        return idem.find(new Address(scope, operation, key));
    }

    private static boolean isComplete(Entry entry) {
        return entry.state() == State.COMPLETE;
    }

    /** Makes the next batch, or reads the one that another server has made; null if there is nothing to tell. */
    private @Nullable Batch next(Batch before, List<Need> needs) {
        String text = before.next(randomId(), Instant.now(), needs, link);
        if (text == null) {
            return null;
        }
        int number = before.number() + 1;
        Outcome<String> made = operation(Access.NOTICE_BATCH, Integer.toString(number), writing)
                .attempt(call -> {
                    if (number() != before.number()) {
                        throw new NotExecutedException("a later batch is there");
                    }
                    return text;
                });
        if (made instanceof Outcome.Valued<String> valued) {
            return Batch.read(number, valued.value());
        }
        // Another server makes it just now, or this one slept: look anew.
        newest = null;
        return null;
    }

    private Operation<String> operation(String name, String key, Policy policy) {
        return idem.operation(name).scope(scope).key(key).policy(policy).returning(String.class);
    }

    private static String randomId() {
        byte[] random = new byte[16];
        new SecureRandom().nextBytes(random);
        return HexFormat.of().formatHex(random);
    }

    /** Sends the messages of a batch that are due. Whether all of them have ended. */
    private boolean hasEnded(Batch batch) {
        boolean ended = true;
        for (int i = 0; i < batch.messages().size() && !gone && !closed; i++) {
            ended &= hasEnded(batch.messages().get(i), batch.number() + "-" + (i + 1));
        }
        return ended;
    }

    private boolean hasEnded(Message message, String key) {
        Entry entry = find(Access.NOTICE, key).orElse(null);
        State state = entry == null ? State.FAILED : entry.state();
        if (state == State.IN_DOUBT) {
            endDoubt(Objects.requireNonNull(entry));
            return false;
        } else if (state == State.FAILED) {
            return System.nanoTime() - notBefore >= 0 && send(message, key);
        }
        return state != State.IN_PROGRESS;
    }

    /** A server died while it sent this. */
    private void endDoubt(Entry entry) {
        Resolution resolution = idem.resolve(entry).by("idem").retention(FOR_GOOD);
        if (channel.dropsRepeats()) {
            resolution.because("the receiver drops a repeat").asFailed();
        } else if (resolution.because("a repeat would be another message").asComplete("unknown")) {
            warn("a message to " + channel
                    + " may not have arrived: a server died while it sent it. It is not sent again");
        }
    }

    private boolean send(Message message, String key) {
        Outcome<String> outcome = operation(Access.NOTICE, key, sending).attempt(call -> {
            Sent sent = channel.send(message);
            tell(sent, call.attempt());
            boolean isOver = switch (sent.fate()) {
                case ARRIVED, GONE -> true;
                case UNKNOWN -> !channel.dropsRepeats();
                case REFUSED -> call.attempt() >= TRIES_OF_REFUSED;
                case NOT_SENT -> false;
            };
            if (!isOver) {
                long pause = every.toNanos() << Math.min(call.attempt() - 1, DOUBLED);
                notBefore = System.nanoTime() + pause;
                throw new NotExecutedException(sent.why());
            }
            return sent.fate() + ": " + sent.why();
        });
        return outcome instanceof Outcome.Valued<?>;
    }

    /** Logs the first of some failures, the end of them, and each message that is lost. */
    private void tell(Sent sent, int attempt) {
        switch (sent.fate()) {
            case ARRIVED -> {
                if (silent) {
                    LOG.log(Level.INFO, () -> "notices arrive again at " + channel);
                }
                silent = false;
            }
            case GONE -> {
                gone = true;
                warn(channel + " wants no more notices (" + sent.why() + "). It gets none until the next start");
            }
            case UNKNOWN -> {
                if (!channel.dropsRepeats()) {
                    warn("a message to " + channel + " may not have arrived: " + sent.why() + ". It is not sent again");
                } else {
                    later(sent);
                }
            }
            case REFUSED -> {
                if (attempt >= TRIES_OF_REFUSED) {
                    warn(channel + " has refused a message " + attempt + " times (" + sent.why() + "). It is dropped");
                } else {
                    later(sent);
                }
            }
            case NOT_SENT -> later(sent);
        }
    }

    private void later(Sent sent) {
        if (!silent) {
            warn("a message to " + channel + " did not arrive: " + sent.why()
                    + ". It is tried again, and what comes meanwhile waits");
        }
        silent = true;
    }

    private static void warn(String line) {
        LOG.log(Level.WARNING, line);
    }

    /** Forgets batches long before this one, and their messages. */
    private void forgetOld(int number) {
        if (number <= KEPT) {
            return;
        }
        ledger
                .browse(Query.all()
                        .withScope(scope)
                        .withStates(State.COMPLETE, State.FAILED)
                        .withOldestFirst())
                .entries()
                .stream()
                .filter(entry -> batchOf(entry.address().key()) <= number - KEPT)
                .forEach(idem::forget);
    }

    private static int batchOf(String key) {
        return Integer.parseInt(key.replaceFirst("-.*", ""));
    }

    /** Begins no further message. */
    void close() {
        closed = true;
    }
}
