package dev.idem.torture.world;

import dev.idem.torture.check.Line;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** One thread's connection to the world. */
public final class WorldClient implements AutoCloseable {
    static final String OK = "ok";
    static final String REFUSED = "refused";
    static final String NOTHING = "nothing";
    /** The end of every message: a message that a kill cut off lacks it, and is ignored. */
    static final String END = "\t.";

    private final Socket socket;
    private final BufferedReader in;
    private final BufferedWriter out;

    /** Connects to the world of the driver. */
    public WorldClient(int port) throws IOException {
        socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setTcpNoDelay(true);
        in = new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
        out = new BufferedWriter(new OutputStreamWriter(socket.getOutputStream(), StandardCharsets.UTF_8));
    }

    /** Sends a line, and returns when it is logged. */
    public void say(Line line) {
        ask(line);
    }

    /** Performs an effect; false if the world has refused it. */
    public boolean happens(Line.Effect effect) {
        return ask(effect).equals(OK);
    }

    /** The token of the effect; empty if there is none, and the world will refuse lower fences from now on. */
    public Optional<String> probe(String call, String key, long fence) {
        String answer = ask(new Line.Probed(call, key, fence, false));
        return answer.equals(NOTHING) ? Optional.empty() : Optional.of(answer);
    }

    private String ask(Line line) {
        try {
            out.write(line.text() + END + "\n");
            out.flush();
            String answer = in.readLine();
            if (answer == null) {
                throw new IOException("the world has ended");
            }
            return answer;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
