package dev.idem.http.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.idem.Idem;
import dev.idem.InDoubtException;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A request in a thread of its own ends as one that is waited for. */
class SendAsyncTest {
    private final Idem idem = Idem.builder().ledger("memory:").quiet().open();
    private final IdemHttpClient client = IdemHttpClient.of(idem, HttpClient.newHttpClient());

    @AfterEach
    void close() {
        idem.close();
    }

    private static HttpRequest charge(Remote remote) {
        return HttpRequest.newBuilder(remote.uri())
                .POST(BodyPublishers.ofString(ClientCases.CHARGE))
                .build();
    }

    @Test
    void theResponseAndAReplayArrive() throws Exception {
        try (Remote remote = new Remote(false)) {
            assertThat(client.sendAsync(charge(remote), BodyHandlers.ofString(), "order-7")
                            .get(60, TimeUnit.SECONDS)
                            .replayed())
                    .isFalse();
            assertThat(client.sendAsync(charge(remote), BodyHandlers.ofString(), "order-7")
                            .get(60, TimeUnit.SECONDS)
                            .replayed())
                    .isTrue();
            assertThat(remote.effects.get()).isEqualTo(1);
        }
    }

    @Test
    void anExceptionArrives() throws Exception {
        try (Remote remote = new Remote(false, Remote.LOSES_THE_ANSWER)) {
            assertThatThrownBy(() -> client.sendAsync(charge(remote), BodyHandlers.ofString(), "order-7")
                            .get(60, TimeUnit.SECONDS))
                    .isInstanceOf(ExecutionException.class)
                    .hasCauseInstanceOf(IOException.class);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"cancel", "time-out"})
    void aRequestThatIsGivenUpIsInDoubt(String how) throws Exception {
        Consumer<CompletableFuture<?>> givesUp = how.equals("cancel")
                ? response -> response.cancel(false)
                : response -> response.completeExceptionally(new TimeoutException());
        CountDownLatch acted = new CountDownLatch(1);
        try (Remote remote = new Remote(false, (self, seen, socket) -> {
            self.act(seen);
            acted.countDown();
            while (socket.getInputStream().read() >= 0) {
                // until the client leaves
            }
        })) {
            CompletableFuture<GuardedResponse<String>> response =
                    client.sendAsync(charge(remote), BodyHandlers.ofString(), "order-7");
            assertThat(acted.await(60, TimeUnit.SECONDS)).isTrue();

            givesUp.accept(response);

            assertThat(response).isCompletedExceptionally();
            // It waits for the request that is being given up.
            assertThatThrownBy(() -> client.send(charge(remote), BodyHandlers.ofString(), "order-7"))
                    .isInstanceOf(InDoubtException.class);
            assertThat(remote.effects.get()).isEqualTo(1);
        }
    }
}
