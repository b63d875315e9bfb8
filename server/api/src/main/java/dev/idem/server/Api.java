package dev.idem.server;

import dev.idem.Address;
import dev.idem.EntryException;
import dev.idem.Idem;
import dev.idem.Json;
import dev.idem.JsonException;
import dev.idem.Key;
import dev.idem.LedgerException;
import dev.idem.LedgerUnavailableException;
import dev.idem.LedgerUnreadableException;
import dev.idem.Policy;
import dev.idem.State;
import dev.idem.agent.approval.Approvals;
import dev.idem.agent.formula.Formula;
import dev.idem.internal.call.ServedClaims;
import dev.idem.internal.codec.Codecs;
import dev.idem.internal.json.CanonicalJson;
import dev.idem.seal.SealedLedger;
import dev.idem.spi.Host;
import dev.idem.spi.Ledger;
import dev.idem.spi.browse.Stats;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The methods of {@code idem serve} on one ledger. The server decides what the engine decides in Java; the client runs
 * the action and keeps time. Thread-safe.
 */
public final class Api implements AutoCloseable {
    /** The version of the protocol. */
    public static final int PROTOCOL = 1;

    /** The largest request in bytes. */
    public static final int LARGEST_REQUEST = 16 * 1024 * 1024;

    private static final int GZIP_FROM = 16 * 1024;
    private static final Duration FOR_GOOD = Duration.ofDays(36_525);

    private static final Duration ENTRIES_KEPT_FOR = Duration.ofSeconds(15);

    private static final Caller READY = Caller.local("the server", () -> true, false);

    private final Idem idem;
    private final ServedClaims claims;
    private final Renewals renewals;
    private final TicketMethods tickets;
    private final LedgerMethods whole;
    private final LedgerName name;
    private final LookMethods look;
    private final Shared<String, Map<String, Long>> entries = new Shared<>(ENTRIES_KEPT_FOR, System::nanoTime);
    private final String version;
    private final Map<String, Method> methods = new TreeMap<>();

    /**
     * Serves a ledger, which stays the caller's to close.
     *
     * @param url the ledger's URL; a file has an absolute path
     * @param version of this server, for {@code hello}
     */
    public Api(Ledger ledger, String url, Host host, String version) {
        this.version = version;
        this.idem =
                Idem.builder().ledger(ledger).purgeEvery(Duration.ZERO).quiet().open();
        this.name = new LedgerName(url, this::ledgerId);
        this.claims = new ServedClaims(ledger, !SealedLedger.isSealing(ledger));
        this.renewals = new Renewals(claims, host);
        int largest = Math.min(LARGEST_REQUEST, ledger.largestResult());
        Results results = new Results(LARGEST_REQUEST);
        Codecs codecs = new Codecs(List.of(), GZIP_FROM, largest);
        ClaimIds ids = new ClaimIds();
        ClaimMethod claim = new ClaimMethod(idem, ledger, claims, ids, renewals, host, name, results);
        this.tickets = new TicketMethods(ledger, name, claims, ids, renewals, codecs, host, results);
        this.look = new LookMethods(ledger, results, Approvals.on(idem));
        DecideMethods decide = new DecideMethods(ledger, look, codecs, host);
        PersonMethods person = new PersonMethods(idem, look);
        methods.put("hello", new Method(null, this::hello));
        methods.put("claim", new Method(Right.ACT, claim::call));
        methods.put("wait", new Method(Right.ACT, tickets::await));
        methods.put("renew", new Method(Right.ACT, tickets::renew));
        methods.put("mark", new Method(Right.ACT, tickets::mark));
        methods.put("settle", new Method(Right.ACT, tickets::settle));
        methods.put("withdraw", new Method(Right.ACT, tickets::withdraw));
        methods.put("find", new Method(Right.READ, look::find));
        methods.put("browse", new Method(Right.READ, look::browse));
        methods.put("trail", new Method(Right.READ, look::trail));
        methods.put("result", new Method(Right.PAYLOADS, look::result));
        methods.put("stats", new Method(Right.READ, look::stats));
        methods.put("counts", new Method(Right.READ, new CountMethod(look)::counts));
        methods.put("suggest", new Method(Right.READ, look::suggest));
        methods.put("resolve", new Method(Right.OPERATE, decide::resolve));
        methods.put("forget", new Method(Right.OPERATE, decide::forget));
        methods.put("approvals.list", new Method(Right.READ, person::approvals));
        methods.put("approvals.of", new Method(Right.READ, person::of));
        methods.put("approvals.approve", new Method(Right.OPERATE, person::approve));
        methods.put("approvals.deny", new Method(Right.OPERATE, person::deny));
        methods.put("decisions", new Method(Right.READ, person::decisions));
        methods.put("poison.list", new Method(Right.READ, person::poison));
        methods.put("poison.again", new Method(Right.OPERATE, person::again));
        methods.put("key", new Method(null, Api::key));
        this.whole = new LedgerMethods(ledger, name, claims, look);
        methods.put("ledger.claim", new Method(Right.ACT, whole::claim));
        methods.put("ledger.renew", new Method(Right.ACT, whole::renew));
        methods.put("ledger.mark", new Method(Right.ACT, whole::mark));
        methods.put("ledger.settle", new Method(Right.ACT, whole::settle));
        methods.put("ledger.find", new Method(null, whole::find));
        methods.put("ledger.resolve", new Method(null, whole::resolve));
        methods.put("ledger.forget", new Method(Right.OPERATE, whole::forget));
        methods.put("ledger.browse", new Method(Right.PAYLOADS, whole::browse));
        methods.put("ledger.stats", new Method(Right.READ, whole::stats));
        methods.put("ledger.purge", new Method(Right.OPERATE, whole::purge));
        methods.put("ledger.trail", new Method(Right.READ, whole::trail));
    }

    private interface Work {
        Answer call(Params params, Caller caller) throws InterruptedException;
    }

    /**
     * A method.
     *
     * @param right what a caller needs; null if everybody may call it
     */
    private record Method(@Nullable Right right, Work work) {}

    /**
     * Answers a request.
     *
     * @param params a JSON object
     * @return a JSON object in one line
     * @throws ApiException if there is no answer
     */
    public String call(String method, String params, Caller caller) {
        return call(method, params.getBytes(StandardCharsets.UTF_8), caller);
    }

    /** The same for the bytes of a request as they came; bytes that are not UTF-8 are refused. */
    public String call(String method, byte[] params, Caller caller) {
        Method called = methods.get(method);
        if (called == null) {
            throw ApiException.malformed(
                    "there is no method '" + shortened(method) + "'; there are " + String.join(", ", methods.keySet()));
        }
        if (called.right() != null) {
            caller.access().require(called.right());
        }
        name.requireFile();
        try {
            return called.work()
                    .call(Params.read(params, caller.access()), caller)
                    .json();
        } catch (ApiException e) {
            throw e;
        } catch (JsonException e) {
            throw ApiException.malformed("the request can't be read: " + e.getMessage() + ". Nothing was done");
        } catch (LedgerUnavailableException e) {
            throw new ApiException(
                    ApiError.LEDGER_UNAVAILABLE,
                    "the ledger gave no answer: " + e.getMessage()
                            + ". The step may have been made: send the same request again",
                    e);
        } catch (LedgerUnreadableException e) {
            throw new ApiException(ApiError.UNREADABLE, String.valueOf(e.getMessage()), e);
        } catch (EntryException e) {
            throw new ApiException(
                    ApiError.BUSY, "another request is at the same thing: " + e.getMessage() + ". Send it again", e);
        } catch (IllegalArgumentException e) {
            throw ApiException.malformed(e.getMessage() + ". Nothing was done");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ApiException(ApiError.BUSY, "the server is ending; ask another one, or start it again", e);
        }
    }

    private static String shortened(String text) {
        return text.length() <= 40 ? text : text.substring(0, 40) + "…";
    }

    private Answer hello(Params params, Caller caller) {
        long wanted = params.number("protocol", PROTOCOL, 1, Integer.MAX_VALUE);
        String ledger = params.longTextOrNull("ledger");
        params.textOrNull("client");
        params.end();
        if (wanted != PROTOCOL) {
            throw new ApiException(
                    ApiError.MISMATCH,
                    "this server speaks protocol " + PROTOCOL + ", not " + wanted
                            + ". Use a client and a server of the same release");
        }
        name.require(ledger, caller);
        return Answer.of("hello")
                .with("protocol", PROTOCOL)
                .with("server", version)
                .with("ledger", name.shown())
                .with("ledger_id", name.id())
                .with("rights", caller.access().rightWords())
                .with("scopes", caller.access().scopeTexts())
                .with("capabilities", whole.capabilities())
                .with(
                        "limits",
                        new Answer()
                                .with("request_bytes", LARGEST_REQUEST)
                                .withMillis("wait_ms", TicketMethods.LONGEST_WAIT)
                                .with("renew_tickets", TicketMethods.MOST_TICKETS)
                                .with("resolve_items", DecideMethods.MOST_ITEMS)
                                .with("result_bytes", whole.largestResult())
                                .members());
    }

    private String ledgerId() {
        byte[] random = new byte[16];
        new SecureRandom().nextBytes(random);
        return idem.operation(LedgerName.OPERATION)
                .scope("idem")
                .key("ledger_id")
                .label("about", "tells the clients of idem serve which ledger this is")
                .policy(Policy.idempotent().retention(FOR_GOOD))
                .returning(String.class)
                .run(call -> HexFormat.of().formatHex(random));
    }

    private static Answer key(Params params, Caller caller) {
        String formula = params.textOrNull("formula");
        String scope = params.text("scope", Address.DEFAULT_SCOPE);
        String operation = formula == null ? params.text("operation") : params.text("operation", "");
        Object identity = params.any("identity");
        int occurrence = (int) params.number("occurrence", 1, 1, Integer.MAX_VALUE);
        params.end();
        if (identity == null) {
            throw ApiException.malformed("'identity' is missing: the fields that the key is made of");
        }
        Key key = formula == null
                ? Key.derive(scope, operation, identity, occurrence)
                // Formulas of Python programs read a fraction as a double.
                : Formula.named(formula).key(Json.parse(Json.writePlain(identity)));
        return Answer.of("done").with("key", key.value()).with("canonical", CanonicalJson.of(identity));
    }

    /**
     * What a reader with this filter sees, as a short text that is another one when something has changed.
     *
     * @param filter as for {@code browse}
     */
    public String view(String filter, Caller caller) {
        return Token.digest(call("browse", filter, caller) + call("approvals.list", "{}", caller));
    }

    /** Asks the ledger for something small, and throws as {@link #call} does if it gives no answer. */
    public void requireReady() {
        call("find", "{\"scope\":\"idem\",\"operation\":\"ledger_id\",\"key\":\"ledger_id\"}", READY);
    }

    /** The ledger that is served, as it may be shown. */
    public String ledger() {
        return name.shown();
    }

    /** The version of this server. */
    public String version() {
        return version;
    }

    /** The names of the methods. */
    public Set<String> methods() {
        return Collections.unmodifiableSet(methods.keySet());
    }

    /** The description of the methods over HTTP: an OpenAPI 3.1 document. */
    public String openApi() {
        Map<String, String> rights = new TreeMap<>();
        methods.forEach((name, method) -> {
            if (method.right() != null) {
                rights.put(name, method.right().word());
            }
        });
        return OpenApi.document(rights);
    }

    /** Ends all waits soon, because the server ends. */
    public void endWaits() {
        tickets.endWaits();
    }

    /** How many entries there are by state, in all scopes; counted every few seconds. */
    public Map<String, Long> entries() {
        try {
            return entries.get("all", () -> {
                Stats stats = look.stats(Access.ALL);
                Map<String, Long> counts = new TreeMap<>();
                for (State state : State.values()) {
                    counts.put(state.word(), stats.count(state));
                }
                return counts;
            });
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ApiException(ApiError.BUSY, "the server is ending", e);
        } catch (LedgerException e) {
            throw new ApiException(ApiError.LEDGER_UNAVAILABLE, "the ledger can't be counted: " + e.getMessage(), e);
        }
    }

    /** How many tickets of clients are renewed here. */
    public int renewed() {
        return renewals.size();
    }

    @Override
    public void close() {
        renewals.close();
        claims.close();
        idem.close();
    }
}
