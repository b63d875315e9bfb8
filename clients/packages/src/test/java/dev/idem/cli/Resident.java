package dev.idem.cli;

import dev.idem.cli.around.OutputStyle;
import dev.idem.cli.around.Surroundings;
import dev.idem.command.Signals;
import dev.idem.spi.Host;
import dev.idem.spi.LedgerContext;
import dev.idem.spi.Ledgers;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.ProcessBuilder.Redirect;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Runs lines of {@code idem serve --stdio} in this process, each at a connection of its own: a server then starts in a
 * moment. At the other end is the script {@code resident/idem}, which tells the line and its environment, and takes the
 * output in parts.
 */
public final class Resident implements AutoCloseable {
    private static final int EXIT = 0;
    private static final int OUT = 1;
    private static final int ERR = 2;

    /** For what a server may still do after the end of its client. */
    private static final long LAST_MILLIS = 10_000;

    private final ServerSocketChannel listening;
    private final Set<Thread> serving = ConcurrentHashMap.newKeySet();

    /** Listens at a unix socket. */
    public Resident(Path socket) throws IOException {
        listening = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        listening.bind(UnixDomainSocketAddress.of(socket));
        thread(this::accept).start();
    }

    private static Thread thread(Runnable task) {
        Thread thread = new Thread(task, "resident");
        thread.setDaemon(true);
        return thread;
    }

    private void accept() {
        try {
            while (true) {
                SocketChannel client = listening.accept();
                Thread server = thread(() -> serve(client));
                serving.add(server);
                server.start();
            }
        } catch (IOException e) {
            // It is closed.
        }
    }

    private void serve(SocketChannel client) {
        try (client) {
            int exit = run(client);
            new Part(client, EXIT).write(exit);
        } catch (IOException e) {
            // The client is gone.
        } finally {
            serving.remove(Thread.currentThread());
        }
    }

    private static int run(SocketChannel client) throws IOException {
        InputStream in = new Input(client);
        DataInputStream head = new DataInputStream(in);
        byte[] told = head.readNBytes(head.readInt());
        List<String> parts = List.of(new String(told, StandardCharsets.UTF_8).split("\0", -1));
        int afterWords = 2 + Integer.parseInt(parts.get(1));
        Map<String, String> environment = new TreeMap<>();
        for (String variable : parts.subList(afterWords, parts.size())) {
            int middle = variable.indexOf('=');
            environment.put(variable.substring(0, middle), variable.substring(middle + 1));
        }
        Host host = Host.system();
        LedgerContext context = LedgerContext.ofHost(host);
        return new CommandLine(new Surroundings(
                        () -> {},
                        environment,
                        Path.of(parts.get(0)),
                        Redirect.INHERIT,
                        in,
                        new Part(client, OUT),
                        new Part(client, ERR),
                        OutputStyle.plain(),
                        (url, readOnly) -> Ledgers.open(url, readOnly ? context.forReading() : context),
                        host,
                        new Signals(Thread.currentThread()),
                        "idem",
                        System::nanoTime))
                .run(parts.subList(2, afterWords));
    }

    /** Waits for the servers, whose clients have ended: their ledgers may be in a folder that is deleted next. */
    @Override
    public void close() throws IOException {
        listening.close();
        try {
            for (Thread server : serving) {
                server.join(LAST_MILLIS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Reads while another thread writes, which the streams of the JDK do not do for each channel. */
    private static final class Input extends InputStream {
        private final SocketChannel from;

        Input(SocketChannel from) {
            this.from = from;
        }

        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
        }

        @Override
        public int read(byte[] bytes, int offset, int length) throws IOException {
            return from.read(ByteBuffer.wrap(bytes, offset, length));
        }
    }

    /** Writes parts of one kind: the kind in a byte, the length in four, and the bytes. */
    private static final class Part extends OutputStream {
        private final SocketChannel to;
        private final int kind;

        Part(SocketChannel to, int kind) {
            this.to = to;
            this.kind = kind;
        }

        @Override
        public void write(int b) throws IOException {
            write(new byte[] {(byte) b}, 0, 1);
        }

        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
            ByteBuffer part = ByteBuffer.allocate(length + 5);
            part.put((byte) kind).putInt(length).put(bytes, offset, length).flip();
            synchronized (to) {
                while (part.hasRemaining()) {
                    to.write(part);
                }
            }
        }
    }
}
