package dev.idem.mcp.guard;

import dev.idem.Idem;
import dev.idem.agent.tool.RefusalWords;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Answers the tool calls of hosts: the guard makes them once, and tools of the guard itself are read from the record. */
public final class ToolCalls {
    private final boolean ownTools;
    private final boolean trustsHints;
    private final ToolRules rules;
    private final Consumer<String> told;
    private final AtomicBoolean checked = new AtomicBoolean();
    private final KnownTools tools = new KnownTools();
    private final ListedTools listed = new ListedTools();
    private final McpGuard guard;
    private final OwnTools own;

    public ToolCalls(Idem idem, GuardSettings settings, Upstream upstream) {
        this.ownTools = settings.ownTools();
        this.trustsHints = settings.trustsHints();
        this.rules = settings.rules();
        this.told = settings.told();
        this.guard = new McpGuard(idem, settings, tools, listed, upstream);
        this.own = new OwnTools(idem, guard);
    }

    /** The error for a call that can't be made; null where it can. */
    public static byte @Nullable [] refusal(Message request) {
        Object arguments = request.param("arguments");
        boolean good = request.param("name") instanceof String name
                && !name.isBlank()
                && (arguments == null || arguments instanceof Map);
        return good
                ? null
                : McpAnswers.error(
                        request.id(), RpcError.INVALID_PARAMS, "a call has a name, and arguments that are an object");
    }

    /** Whether a call is for a tool of the guard itself. */
    public boolean isOwn(Message request) {
        return ownTools && OwnTools.has(request);
    }

    /** The answer to a call. Whatever goes wrong, the host is told. */
    public byte[] answer(HostCall call) {
        try {
            return isOwn(call.request()) ? own.answer(call) : guard.answer(call);
        } catch (BadCallException e) {
            return McpAnswers.error(call.request().id(), RpcError.INVALID_PARAMS, String.valueOf(e.getMessage()));
        } catch (RuntimeException | Error e) {
            return failed(call, e);
        } finally {
            call.turn().giveUp();
        }
    }

    /**
     * Takes the answer of a host to a question of the guard.
     *
     * @return whether it was one
     */
    public boolean answeredBy(Message response, Optional<String> credential) {
        return guard.questions().answeredBy(response, credential);
    }

    /** The one host is gone: nobody answers questions any more. */
    public void hostIsGone() {
        guard.questions().hostIsGone();
    }

    /** The calls that a guard in the shadow would have stopped, in words; empty for other guards. */
    public String shadowSummary() {
        return guard.shadowSummary();
    }

    public static byte[] failed(HostCall call, Throwable thrown) {
        String what = call.wasSent()
                ? "the guard failed, and it is unknown whether the call took effect: "
                : "the guard failed before it sent the call to the server: ";
        return McpAnswers.error(call.request().id(), RpcError.OF_THE_GUARD, what + RefusalWords.described(thrown));
    }

    private void tellReads() {
        List<String> reads = tools.readsWithout(rules.names());
        if (!trustsHints && !reads.isEmpty()) {
            told.accept("these tools say that they only read, and a repeated call gets the first answer all the same: "
                    + String.join(", ", reads) + ". Trust the server with --trust-hints, or write rules");
        }
    }

    /** The server has said that its tools have changed, or has ended. */
    public void listChanged() {
        listed.forget();
    }

    /**
     * Learns from the server's list of tools, and gives the list that the host is to see.
     *
     * @param audience what the server may have chosen the tools by; see {@link HostCall#audience}
     */
    public byte[] listed(String audience, Message request, Message response) {
        tools.learn(response);
        listed.learn(audience, request, response);
        if (response.result("nextCursor") == null && checked.compareAndSet(false, true)) {
            rules.misfits(tools).forEach(told);
            tellReads();
        }
        return ownTools ? OwnTools.listed(response) : response.bytes();
    }
}
