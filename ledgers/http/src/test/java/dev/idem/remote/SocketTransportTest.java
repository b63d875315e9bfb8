package dev.idem.remote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.idem.remote.Transport.Reply;
import dev.idem.spi.LedgerUrl;
import java.io.EOFException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.SocketTimeoutException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** HTTP at a unix socket, as servers and those in front of them may speak it. */
@Timeout(120)
class SocketTransportTest {
    private static final Duration LONG = Duration.ofSeconds(60);
    private static final byte[] BODY = "{}".getBytes(StandardCharsets.UTF_8);
    private static final String OK = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";

    @TempDir
    Path folder;

    private ServerSocketChannel server;
    private Transport transport;
    private final List<SocketChannel> accepted = new ArrayList<>();

    @BeforeEach
    void listen() throws IOException {
        Path path = folder.resolve("s.sock");
        server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        server.bind(UnixDomainSocketAddress.of(path));
        transport = new SocketTransport(RemoteUrl.parse(LedgerUrl.parse("http+unix:" + path), name -> null));
    }

    @AfterEach
    void close() throws IOException {
        transport.close();
        server.close();
        for (SocketChannel channel : accepted) {
            channel.close();
        }
    }

    /** Posts from another thread. */
    private FutureTask<Reply> post(Duration timeout) {
        FutureTask<Reply> task = new FutureTask<>(() -> transport.post("find", BODY, timeout));
        new Thread(task).start();
        return task;
    }

    private SocketChannel accept() throws IOException {
        SocketChannel channel = server.accept();
        accepted.add(channel);
        return channel;
    }

    /** Reads a request to its end. */
    private static String read(SocketChannel channel) throws IOException {
        StringBuilder text = new StringBuilder();
        ByteBuffer buffer = ByteBuffer.allocate(1 << 16);
        while (!text.toString().endsWith("{}") && channel.read(buffer.clear()) >= 0) {
            text.append(StandardCharsets.UTF_8.decode(buffer.flip()));
        }
        return text.toString();
    }

    private static void say(SocketChannel channel, String text) throws IOException {
        ByteBuffer bytes = ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
        while (bytes.hasRemaining()) {
            channel.write(bytes);
        }
    }

    private String answer(String... parts) throws Exception {
        FutureTask<Reply> posted = post(LONG);
        SocketChannel channel = accept();
        assertThat(read(channel))
                .startsWith("POST /v1/find HTTP/1.1\r\nHost: idem\r\n")
                .contains("Content-Length: 2\r\n");
        for (String part : parts) {
            say(channel, part);
        }
        Reply reply = posted.get();
        return reply.status() + " " + new String(reply.body(), StandardCharsets.UTF_8);
    }

    @Test
    void aConnectionIsUsedAgain() throws Exception {
        FutureTask<Reply> first = post(LONG);
        SocketChannel channel = accept();
        read(channel);
        say(channel, OK);
        first.get();
        FutureTask<Reply> second = post(LONG);
        read(channel);
        say(channel, OK);
        assertThat(second.get().status()).isEqualTo(200);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "HTTP/1.1 500 x\r\nContent-Length: 0\r\n\r\n"})
    void oneThatTheServerHasClosedOrFilledIsNot(String unasked) throws Exception {
        FutureTask<Reply> first = post(LONG);
        SocketChannel channel = accept();
        read(channel);
        say(channel, OK);
        first.get();
        say(channel, unasked);
        if (unasked.isEmpty()) {
            channel.close();
        }
        assertThat(answer(OK)).isEqualTo("200 ok");
    }

    @Test
    void aServerThatWantsToCloseIsLeft() throws Exception {
        assertThat(answer("HTTP/1.1 503 x\r\nConnection: close\r\nContent-Length: 2\r\n\r\nno"))
                .isEqualTo("503 no");
        assertThat(answer(OK)).isEqualTo("200 ok");
    }

    @Test
    void aBodyComesInPieces() throws Exception {
        assertThat(answer(
                        "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n3;x=y\r\nab",
                        "c\r\n10\r\n0123456789",
                        "abcdef\r\n0\r\nTrailer: t\r\n\r\n"))
                .isEqualTo("200 abc0123456789abcdef");
    }

    @Test
    void aLargeBodyComesWhole() throws Exception {
        String large = "x".repeat(3_000_000);
        assertThat(answer("HTTP/1.1 200 OK\r\nContent-Length: 3000000\r\n\r\n" + large))
                .isEqualTo("200 " + large);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "rubbish\r\n\r\n",
                "HTTP/1.1 200 OK\r\n\r\n",
                "HTTP/1.1 200 OK\r\nContent-Length: many\r\n\r\n",
                "HTTP/1.1 200 OK\r\nmalformed\r\n\r\n",
                "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nmany\r\n",
            })
    void whatIsNotHttpIsNoAnswer(String text) {
        assertThatThrownBy(() -> answer(text)).hasCauseInstanceOf(IOException.class);
    }

    @Test
    void halfAnAnswerIsNone() throws Exception {
        FutureTask<Reply> posted = post(LONG);
        SocketChannel channel = accept();
        read(channel);
        say(channel, "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\no");
        channel.close();
        assertThatThrownBy(posted::get).hasCauseInstanceOf(EOFException.class);
    }

    @Test
    void anAnswerThatStopsInTheMiddleIsNotWaitedForForEver() throws Exception {
        FutureTask<Reply> posted = post(Duration.ofMillis(300));
        SocketChannel channel = accept();
        read(channel);
        say(channel, "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\no");
        assertThatThrownBy(posted::get).hasCauseInstanceOf(SocketTimeoutException.class);
        assertThat(answer(OK)).as("on a new connection").isEqualTo("200 ok");
    }

    @Test
    void aServerThatReadsNothingIsNotWaitedForForEver() {
        assertThatThrownBy(() -> transport.post("find", new byte[10_000_000], Duration.ofMillis(300)))
                .isInstanceOf(SocketTimeoutException.class);
    }

    @Test
    void anInterruptEndsNoRequestAndIsKept() throws Exception {
        CountDownLatch sent = new CountDownLatch(1);
        FutureTask<Boolean> task = new FutureTask<>(() -> {
            Thread.currentThread().interrupt();
            sent.countDown();
            transport.post("find", BODY, LONG);
            return Thread.currentThread().isInterrupted();
        });
        Thread thread = new Thread(task);
        thread.start();
        sent.await();
        SocketChannel channel = accept();
        read(channel);
        thread.interrupt();
        say(channel, OK);
        assertThat(task.get()).isTrue();
    }

    @Test
    void nobodyListens() throws IOException {
        server.close();
        assertThatThrownBy(() -> transport.post("find", BODY, LONG)).isInstanceOf(ConnectException.class);
    }
}
