package dev.idem.mcp.stdio;

import dev.idem.mcp.guard.Client;
import dev.idem.mcp.guard.HostCall;
import dev.idem.mcp.guard.Message;
import dev.idem.mcp.guard.Turns;
import java.io.IOException;
import java.io.OutputStream;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** The one host of a proxy on stdio: where it reads, and how it has presented itself. Thread-safe. */
final class StdioHost {
    private final ReentrantLock writing = new ReentrantLock();
    private volatile @Nullable OutputStream out;
    private volatile @Nullable Client client;

    void open(OutputStream to) {
        out = to;
    }

    /** Whether it still reads. */
    boolean isThere() {
        return out != null;
    }

    /** Sends a message, and tells whether the host could be reached. */
    boolean send(byte[] message) {
        writing.lock();
        try {
            OutputStream to = out;
            if (to != null) {
                to.write(message);
                to.write('\n');
                to.flush();
            }
            return to != null;
        } catch (IOException e) {
            // The host reads no more. Results are kept for the next one.
            out = null;
            return false;
        } finally {
            writing.unlock();
        }
    }

    /** Reads how the host presents itself, where this message does it. */
    void learn(Message message) {
        if (message.is("initialize")) {
            client = Client.of(message.param("capabilities"), message.param("clientInfo"));
        }
    }

    /** A call that this host waits for. */
    HostCall call(Message request, Turns.Turn turn) {
        return new HostCall(request, turn) {
            @Override
            @Nullable
            public Client client() {
                Client told = super.client();
                return told == null ? client : told;
            }

            @Override
            public boolean toHost(byte[] message) {
                return send(message);
            }
        };
    }
}
