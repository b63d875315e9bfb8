package dev.idem.mcp.guard;

import dev.idem.Address;
import dev.idem.Call;
import dev.idem.Entry;
import dev.idem.Idem;
import dev.idem.InDoubtException;
import dev.idem.Key;
import dev.idem.NotExecutedException;
import dev.idem.Policy;
import dev.idem.Probe.Verdict;
import dev.idem.agent.retry.Retry;
import dev.idem.agent.session.Session;
import dev.idem.agent.session.ToolCall;
import dev.idem.agent.tool.McpCalls;
import dev.idem.agent.tool.RefusalWords;
import dev.idem.agent.tool.Tool;
import dev.idem.agent.tool.ToolAnswer;
import dev.idem.agent.tool.ToolAnswer.Status;
import dev.idem.agent.tool.ToolBuilder;
import dev.idem.agent.tool.ToolInput;
import dev.idem.spi.Retention;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * Makes each tool call take effect once: claims it, sends it to the server, and records the result. A duplicate gets the
 * first result. Thread-safe.
 */
final class McpGuard {
    private static final int MOST_SESSIONS = 1000;
    private static final int LONGEST_SESSION = 150;
    /** How long what a server has begun may go on after its end. */
    private static final Duration PROBE_GRACE = Duration.ofSeconds(10);

    private final Idem idem;
    private final GuardSettings settings;
    private final KnownTools tools;
    private final ListedTools listed;
    private final Upstream upstream;
    private final @Nullable Shadow shadow;
    private final Questions questions;
    private final Map<String, Session> sessions = new ConcurrentHashMap<>();
    /** The calls that this process waits for. */
    private final Set<Address> acting = ConcurrentHashMap.newKeySet();

    McpGuard(Idem idem, GuardSettings settings, KnownTools tools, ListedTools listed, Upstream upstream) {
        this.idem = idem;
        this.settings = settings;
        this.tools = tools;
        this.listed = listed;
        this.upstream = upstream;
        this.questions = new Questions(idem);
        this.shadow = settings.shadow() ? new Shadow(upstream, settings.told()) : null;
    }

    Questions questions() {
        return questions;
    }

    /** Makes the call, or answers it from the record. In the shadow every call is made. */
    byte[] answer(HostCall host) {
        if (shadow == null) {
            return guarded(host);
        }
        shadow.count();
        try {
            return guarded(host);
        } catch (RuntimeException | Error e) {
            if (host.wasSent()) {
                throw e;
            }
            settings.told().accept("the guard failed: " + RefusalWords.described(e));
            return shadow.forward(host, "guard_failed");
        }
    }

    private byte[] guarded(HostCall host) {
        Turns.Turn turn = host.turn();
        turn.await();
        Message request = host.request();
        String name = String.valueOf(request.param("name"));
        ToolRule rule = settings.rules().of(name);
        CallKey key = CallKey.of(host, rule);
        Policy policy = policy(name, rule, key, host);
        // A call in the shadow is made at once where another would wait.
        Tool tool = tool(name, shadow == null ? policy : policy.waitFor(Duration.ZERO), rule, key, host);
        Session session = session(scope(host));
        if (tool.cachedFor().isPresent()) {
            // The cache makes a duplicate wait for the first call.
            turn.giveUp();
        }
        if (settings.asks() && shadow == null) {
            questions.take(host, new Address(scope(host), name, key.in(scope(host), name, rule)));
        }
        ToolAnswer answer = session.call(call(tool, key, rule, host));
        if (shadow != null && !host.wasSent()) {
            return shadow.forward(host, answer.status().word());
        }
        turn.giveUp();
        Entry held = settings.asks() ? held(answer) : null;
        McpAnswers answers = new McpAnswers(request, tools.hasOutputSchema(name));
        if (held != null && answers.needsResultType()) {
            String asking = questions.inputRequired(host, held);
            if (asking != null) {
                return answers.result(asking);
            }
        } else if (held != null && questions.ask(host, held) && host.isAttached()) {
            answer = session.call(call(tool, key, rule, host));
        }
        return answers.of(answer, beside(answer, policy, rule, key, host));
    }

    /**
     * The entry of a call that only a person can settle; null for every other answer. While this process still waits for the
     * server, a person can't know how the call ends.
     */
    private @Nullable Entry held(ToolAnswer answer) {
        return answer instanceof ToolAnswer.Refused refused
                        && refused.cause() instanceof InDoubtException doubt
                        && doubt.entry().address().equals(refused.at())
                        && !doubt.mayTryAgain()
                        && !acting.contains(doubt.entry().address())
                ? doubt.entry()
                : null;
    }

    /** The text for the model beside a result: its call is held, or nothing was run. */
    private @Nullable String beside(ToolAnswer answer, Policy policy, ToolRule rule, CallKey key, HostCall host) {
        if (answer.status() == Status.IN_DOUBT) {
            Message said = answer instanceof ToolAnswer.Refused refused ? ServerSaid.in(refused.cause()) : null;
            if (said != null && said.asksForInput()) {
                // The host goes on with this call by itself.
                return null;
            }
            Client client = host.client();
            return McpCalls.held(answer, settings.asks() && client != null && client.asks());
        } else if (answer instanceof ToolAnswer.Replayed replayed && !isDeclared(answer.tool(), rule)) {
            Instant ran = replayed.outcome().executedAt();
            return McpCalls.replayed(
                    replayed,
                    Instant.now(),
                    lapses(key, host) ? ran.plus(policy.retention().keep()) : null);
        }
        return null;
    }

    private boolean isDeclared(String tool, ToolRule rule) {
        return rule.policy().hasSideEffect()
                || (settings.trustsHints() && tools.sideEffect(tool).isPresent());
    }

    /** The entry of a call that has this name and these arguments, and no key of the host. */
    Address address(HostCall asking, String name, Map<?, ?> arguments) {
        ToolRule rule = settings.rules().of(name);
        String scope = scope(asking);
        return new Address(scope, name, CallKey.of(arguments, rule).in(scope, name, rule));
    }

    /**
     * The scope of a call: its server, its task and, where hosts have credentials, the credential. A host chooses its
     * session, so that comes last: no session can name the scope of another server or credential.
     */
    String scope(HostCall host) {
        String session = session(host);
        boolean plain = session.length() <= LONGEST_SESSION && session.chars().allMatch(c -> c >= ' ' && c <= '~');
        String name = settings.name().replace("%", "%25").replace(":", "%3A");
        return (shadow == null ? "mcp" : "mcp-shadow")
                + host.credential().map(credential -> "-of-" + credential).orElse("")
                + ":" + name + ":" + (plain ? session : CallKey.digest(session));
    }

    private String session(HostCall host) {
        String told = BadCallException.given(
                McpCalls.meta(McpCalls.SESSION), host.request().meta(McpCalls.SESSION));
        told = told == null ? settings.session() : told;
        return told == null ? McpCalls.DEFAULT_SESSION : told;
    }

    /** The calls that a guard in the shadow would have stopped, in words; empty for other guards. */
    String shadowSummary() {
        return shadow == null ? "" : shadow.summary();
    }

    private Session session(String scope) {
        if (sessions.size() >= MOST_SESSIONS) {
            // A session holds cached reads only; the next call opens it again.
            sessions.clear();
        }
        return sessions.computeIfAbsent(
                scope,
                id -> Session.builder(idem)
                        .id(id)
                        .withoutLoopGuard()
                        .retry(Retry.none())
                        .open());
    }

    private Policy policy(String name, ToolRule rule, CallKey key, HostCall host) {
        Policy policy = rule.policy();
        if (!policy.hasSideEffect() && settings.trustsHints()) {
            policy = policy.over(tools.hinted(name));
        }
        policy = McpCalls.policy(policy, lapses(key, host) ? settings.repeatWindow() : null);
        return upstream.endsAreSeen() ? policy.over(Policy.unset().probeGrace(PROBE_GRACE)) : policy;
    }

    /** Whether the same call may be meant again soon. */
    private boolean lapses(CallKey key, HostCall host) {
        return key.isDerived() && session(host).equals(McpCalls.DEFAULT_SESSION);
    }

    private Tool tool(String name, Policy policy, ToolRule rule, CallKey key, HostCall host) {
        ToolBuilder<ToolInput> builder = Tool.named(name).policy(policy);
        builder = rule.identity().isEmpty()
                ? builder
                : builder.identity(rule.identity().toArray(String[]::new));
        for (Map.Entry<String, String> label : key.labels(rule).entrySet()) {
            builder = builder.label(label.getKey(), input -> label.getValue());
        }
        ToolRule.ProbeRule probe = rule.probe();
        if (probe != null) {
            builder = builder.probe((doubted, input) -> {
                if (acting.contains(doubted.address())) {
                    // This process still waits for the server.
                    return Verdict.unknown();
                }
                host.turn().giveUp();
                return new AskedTool(upstream, host).ask(probe);
            });
        }
        return builder.build();
    }

    private ToolCall call(Tool tool, CallKey key, ToolRule rule, HostCall host) {
        Round round = Round.of(host.request());
        ToolCall call = ToolCall.of(tool, key.arguments())
                .onWait(host.turn()::giveUp)
                .resumes(round::fits)
                .action((running, input) -> acting(running.address(), () -> act(running, rule, host, round)));
        String given = key.given();
        return given == null ? call : call.key(Key.ofId(given).value());
    }

    private String acting(Address address, Callable<String> work) throws Exception {
        acting.add(address);
        try {
            return work.call();
        } finally {
            acting.remove(address);
        }
    }

    /** Sends the call and gives the JSON text of its result. */
    private String act(Call running, ToolRule rule, HostCall host, Round round) throws Exception {
        try {
            return result(running, rule, host, round);
        } catch (NotExecutedException e) {
            throw round.again(e);
        }
    }

    private String result(Call running, ToolRule rule, HostCall host, Round round) throws Exception {
        Message response;
        ListedTools.Listing shown = listed.shownTo(host);
        try {
            host.markSent();
            var answer = upstream.send(host.forServer(), host);
            host.turn().giveUp();
            response = answer.get();
        } catch (ExecutionException e) {
            if (upstream.endsAreSeen()) {
                running.remoteEnded();
            }
            throw e.getCause() instanceof Exception cause ? cause : e;
        }
        running.remoteEnded();
        if (response.isError()) {
            ServerSaid said = new ServerSaid(response, "the server answered with an error");
            throw rule.isFailure(response) || wasNotReached(response, shown, host) ? nothingRan(said) : said;
        } else if (Boolean.TRUE.equals(response.result("isError"))) {
            ServerSaid said = new ServerSaid(response, "the server reported that the tool failed");
            throw rule.isFailure(response) || wasNotReached(response, shown, host) ? nothingRan(said) : said;
        } else if (response.asksForInput()) {
            throw rule.asksBeforeActing()
                    ? nothingRan(new ServerSaid(response, "the server asked for input first"))
                    : new ServerSaid(response, round.asked(response));
        } else if (isOfAnotherGuard(response)) {
            throw nothingRan(new ServerSaid(response, "another guard holds the call"));
        }
        if (response.members().get("result") == null) {
            throw new NoAnswerException("the server answered with neither a result nor an error");
        }
        if (response.result("task") != null || "task".equals(response.result("resultType"))) {
            // The task may still run when a call that has ended would be meant again, so it never lapses so early.
            running.keepAtLeast(Retention.DEFAULT.keep());
        }
        return response.text("result");
    }

    /**
     * Whether the server says that the call did not reach its tool, and the guard itself sees why: by the list from before
     * the call, and by the one that holds now.
     */
    private boolean wasNotReached(Message response, ListedTools.Listing shown, HostCall host) {
        Message sent = host.forServer();
        boolean checked = tools.hasOutputSchema(String.valueOf(sent.param("name")));
        return RpcError.saysNotReached(response, checked)
                && shown.rulesOut(sent)
                && listed.shownTo(host).rulesOut(sent);
    }

    /** Another guard stands between this one and the tool, and has not made the call yet. It makes the call once. */
    private static boolean isOfAnotherGuard(Message response) {
        Object status = response.result("_meta") instanceof Map<?, ?> meta ? meta.get(McpCalls.STATUS) : null;
        return Status.IN_FLIGHT.word().equals(status)
                || Status.NEEDS_APPROVAL.word().equals(status);
    }

    private static NotExecutedException nothingRan(ServerSaid said) {
        return new NotExecutedException(String.valueOf(said.getMessage()), said);
    }
}
