package dev.idem.mcp;

import dev.idem.Idem;
import dev.idem.mcp.stdio.StdioRelay;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;
import java.util.List;

/**
 * Stands between a host and a server that speak MCP through stdin and stdout. Tool calls go through the guard; every other
 * message passes as its own bytes.
 *
 * <pre>{@code
 * int exit = new StdioProxy(idem, McpOptions.of("mail"), List.of("node", "mail.js")).run(System.in, System.out);
 * }</pre>
 */
public final class StdioProxy {
    private static final Duration SIGN_OF_LIFE = Duration.ofSeconds(20);
    /** With the end of the server less than 20 seconds. */
    private static final Duration LONGEST_END = Duration.ofSeconds(16);

    private final StdioRelay relay;

    /** A proxy in front of the server that this command starts. */
    public StdioProxy(Idem idem, McpOptions options, List<String> command) {
        this(idem, options, command, SIGN_OF_LIFE, LONGEST_END);
    }

    StdioProxy(Idem idem, McpOptions options, List<String> command, Duration signOfLife, Duration longestEnd) {
        this.relay = new StdioRelay(idem, options.settings(), command, options.restarts(), signOfLife, longestEnd);
    }

    /**
     * Passes messages until the host or the server is gone. When the host is gone, calls that still run are waited for,
     * so that their results are kept.
     *
     * @return the exit code: 0 when the host has ended the conversation
     * @throws IOException if the server can't be started
     */
    public int run(InputStream in, OutputStream out) throws IOException {
        return relay.run(in, out);
    }

    /** The calls that the guard would have stopped, in words; for a guard in the shadow. */
    public String shadowSummary() {
        return relay.shadowSummary();
    }

    /** Ends the conversation. It takes no more calls, and waits up to 16 seconds for those that run. */
    public void end() {
        relay.end();
    }
}
