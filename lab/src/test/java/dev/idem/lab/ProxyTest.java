package dev.idem.lab;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The bytes that go through the proxy, and those that do not. */
@Timeout(30)
class ProxyTest {
    private ServerSocket server;
    private Proxy proxy;
    private Socket client;
    private Socket served;

    @BeforeEach
    void connect() throws IOException {
        server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        proxy = new Proxy(server.getLocalPort());
        client = new Socket(InetAddress.getLoopbackAddress(), proxy.port());
        served = server.accept();
    }

    @AfterEach
    void close() throws IOException {
        client.close();
        served.close();
        proxy.close();
        server.close();
    }

    @Test
    void bothSidesHearEachOther() throws IOException {
        client.getOutputStream().write('?');
        assertThat(served.getInputStream().read()).isEqualTo('?');
        served.getOutputStream().write('!');
        assertThat(client.getInputStream().read()).isEqualTo('!');
    }

    @Test
    void aCutEndsBothSides() throws IOException {
        client.getOutputStream().write('?');
        assertThat(served.getInputStream().read()).isEqualTo('?');
        proxy.cut();
        assertThat(ended(client)).isTrue();
        assertThat(ended(served)).isTrue();
    }

    @Test
    void whatIsSwallowedNeverComesNotEvenInPart() throws IOException {
        proxy.swallow(true);
        client.getOutputStream().write('?');
        assertThat(served.getInputStream().read()).as("the request").isEqualTo('?');
        served.getOutputStream().write('!');
        proxy.swallow(false);
        assertThat(ended(client)).isTrue();
    }

    /** The cut met connections that came in after it had begun, and so the second try of a client. */
    @Test
    void aClientThatComesBackAtOnceGetsItsAnswer() throws Exception {
        for (int i = 0; i < 300; i++) {
            proxy.swallow(true);
            client.getOutputStream().write('?');
            assertThat(served.getInputStream().read()).isEqualTo('?');
            FutureTask<Integer> again = new FutureTask<>(() -> {
                assertThat(ended(client)).isTrue();
                client.close();
                client = new Socket(InetAddress.getLoopbackAddress(), proxy.port());
                client.getOutputStream().write('?');
                return client.getInputStream().read();
            });
            new Thread(again).start();
            proxy.swallow(false);
            served.close();
            served = server.accept();
            assertThat(served.getInputStream().read()).as("the request").isEqualTo('?');
            served.getOutputStream().write('!');
            assertThat(again.get()).as("the answer in turn " + i).isEqualTo('!');
        }
    }

    private static boolean ended(Socket socket) throws IOException {
        try {
            return socket.getInputStream().read() < 0;
        } catch (SocketException e) {
            return true;
        }
    }
}
