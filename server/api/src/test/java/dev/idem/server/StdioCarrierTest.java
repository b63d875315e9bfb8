package dev.idem.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idem.Json;
import dev.idem.spi.Host;
import dev.idem.spi.Ledger;
import dev.idem.spi.Ledgers;
import dev.idem.testkit.Until;
import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StdioCarrierTest {
    private static final String HELLO = "{'jsonrpc':'2.0','id':1,'method':'hello','params':{}}";

    @TempDir
    Path folder;

    private Ledger ledger;
    private Api api;
    private Thread server;
    private OutputStream in;
    private BufferedReader out;

    @BeforeEach
    void open() throws IOException {
        String url = "sqlite:" + folder.resolve("idem.db");
        ledger = Ledgers.open(url);
        api = new Api(ledger, url, Host.system(), "1");
        PipedOutputStream toServer = new PipedOutputStream();
        PipedOutputStream fromServer = new PipedOutputStream();
        StdioCarrier carrier = new StdioCarrier(api, new PipedInputStream(toServer, 1 << 16), fromServer, "ann");
        out = new BufferedReader(
                new InputStreamReader(new PipedInputStream(fromServer, 1 << 20), StandardCharsets.UTF_8));
        in = toServer;
        server = new Thread(() -> {
            try (fromServer) {
                carrier.run();
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
        });
        server.start();
    }

    @AfterEach
    void close() throws Exception {
        in.close();
        server.join();
        api.close();
        ledger.close();
    }

    private void send(String line) throws IOException {
        in.write((line.replace('\'', '"') + "\n").getBytes(StandardCharsets.UTF_8));
        in.flush();
    }

    @SuppressWarnings("unchecked")
    private Map<String, @Nullable Object> next() throws IOException {
        return (Map<String, @Nullable Object>) Json.parse(out.readLine());
    }

    private String refused(String line) throws IOException {
        send(line);
        return String.valueOf(next().get("error"));
    }

    @Test
    void helloComesFirst() throws IOException {
        assertThat(refused("{'jsonrpc':'2.0','id':7,'method':'stats'}")).contains("malformed", "hello first");
        send(HELLO);
        assertThat(next()).containsEntry("id", 1L).containsKey("result");
        send("{'jsonrpc':'2.0','id':'b','method':'stats'}");
        assertThat(next()).containsEntry("id", "b").containsKey("result");
    }

    /** A client that meant another ledger was served from this one. */
    @Test
    void nothingIsServedAfterAMismatch() throws IOException {
        assertThat(refused("{'jsonrpc':'2.0','id':1,'method':'hello','params':{'ledger':'memory:'}}"))
                .contains("mismatch");
        assertThat(refused("{'jsonrpc':'2.0','id':2,'method':'stats'}")).contains("hello first");
    }

    /** It was about to refuse a request, and did not see that there would be no more. */
    @Test
    void theEndOfTheInputIsSeenAlsoWhereNobodyReads() throws Exception {
        byte[] rubbish = "rubbish\n".repeat(300).getBytes(StandardCharsets.UTF_8);
        endsWithoutAReader(new ByteArrayInputStream(rubbish));
    }

    @Test
    void whoSendsOnAndOnAndReadsNothingIsNotServed() throws Exception {
        InputStream endless = new InputStream() {
            private volatile boolean closed;

            @Override
            public int read() {
                return closed ? -1 : '\n';
            }

            @Override
            public int read(byte[] into, int from, int length) {
                for (int i = 0; i < length; i++) {
                    into[from + i] = (byte) (i % 2 == 0 ? 'x' : '\n');
                }
                return closed ? -1 : length;
            }

            @Override
            public void close() {
                closed = true;
            }
        };
        try (endless) {
            endsWithoutAReader(endless);
        }
    }

    private void endsWithoutAReader(InputStream requests) throws InterruptedException {
        CountDownLatch never = new CountDownLatch(1);
        OutputStream unread = new OutputStream() {
            @Override
            public void write(int b) throws IOException {
                try {
                    never.await();
                } catch (InterruptedException e) {
                    throw new IOException(e);
                }
            }
        };
        Thread other = new Thread(() -> new StdioCarrier(api, requests, unread, "ann").run());
        other.start();
        other.join(20_000);
        assertThat(other.isAlive()).isFalse();
        never.countDown();
    }

    @Test
    void rubbishIsRefusedAndTheNextLineIsServed() throws IOException {
        assertThat(refused("rubbish")).contains("malformed");
        assertThat(refused("[" + HELLO + "]")).contains("malformed");
        assertThat(refused("{'jsonrpc':'2.0','method':'hello'}")).contains("no notifications");
        assertThat(refused("{'jsonrpc':'2.0','id':1.5,'method':'hello'}")).contains("needs an id");
        assertThat(refused("{'jsonrpc':'1.0','id':1,'method':'hello'}")).contains("malformed");
        assertThat(refused("{'jsonrpc':'2.0','id':1,'method':'hello','extra':1}"))
                .contains("'extra'");
        send("");
        send(HELLO);
        assertThat(next()).containsKey("result");
    }

    @Test
    void aLineThatIsTooLongIsRefused() throws IOException {
        byte[] chunk = new byte[1 << 20];
        for (int i = 0; i < Api.LARGEST_REQUEST / chunk.length + 1; i++) {
            in.write(chunk);
        }
        assertThat(refused("")).contains("too_large", "16777216");
        send(HELLO);
        assertThat(next()).containsKey("result");
    }

    /** A wait held up the request that would have ended it. */
    @Test
    void answersComeInAnyOrder() throws IOException {
        send(HELLO);
        next();
        String claim =
                "{'jsonrpc':'2.0','id':2,'method':'claim','params':{'operation':'charge','key':'k','attempt_id':'"
                        + ApiCase.id() + "'}}";
        send(claim);
        @SuppressWarnings("unchecked")
        Map<String, Object> granted = (Map<String, Object>) next().get("result");
        send("{'jsonrpc':'2.0','id':3,'method':'wait','params':{'operation':'charge','key':'k','fence':'"
                + granted.get("fence") + "'}}");
        send("{'jsonrpc':'2.0','id':4,'method':'settle','params':{'ticket':'" + granted.get("ticket")
                + "','as':'complete'}}");
        Map<Object, @Nullable Object> answers = new HashMap<>();
        for (int i = 0; i < 2; i++) {
            Map<String, @Nullable Object> one = next();
            answers.put(one.get("id"), one.get("result"));
        }
        assertThat(String.valueOf(answers.get(3L))).contains("claim_again");
        assertThat(String.valueOf(answers.get(4L))).contains("recorded");
    }

    @Test
    void itEndsSoonAfterItsInputAlsoWhileSomebodyWaits() throws Exception {
        send(HELLO);
        next();
        send("{'jsonrpc':'2.0','id':2,'method':'claim','params':{'operation':'charge','key':'k','attempt_id':'"
                + ApiCase.id() + "'}}");
        @SuppressWarnings("unchecked")
        Map<String, Object> granted = (Map<String, Object>) next().get("result");
        send("{'jsonrpc':'2.0','id':3,'method':'wait','params':{'operation':'charge','key':'k','fence':'"
                + granted.get("fence") + "'}}");
        Until.isTrue("it waits", () -> api.renewed() == 1);
        in.close();
        server.join(20_000);
        assertThat(server.isAlive()).isFalse();
    }

    @Test
    void halfALineIsNoRequest() throws Exception {
        send(HELLO);
        next();
        in.write("{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"stats\"}".getBytes(StandardCharsets.UTF_8));
        in.close();
        server.join();
        assertThat(out.readLine()).isNull();
    }
}
