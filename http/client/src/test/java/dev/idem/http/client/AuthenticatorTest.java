package dev.idem.http.client;

import static dev.idem.http.client.Remote.refuses;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.idem.Idem;
import dev.idem.agent.retry.Retry;
import java.io.IOException;
import java.net.Authenticator;
import java.net.HttpRetryException;
import java.net.PasswordAuthentication;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.ByteBuffer;
import java.util.concurrent.Flow;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A client with an authenticator sends a refused request again by itself: once, and without a doubt. */
class AuthenticatorTest {
    private static final Remote.Step CHALLENGES = refuses(401, "WWW-Authenticate: Basic realm=\"shop\"");

    private final Idem idem = Idem.builder().ledger("memory:").quiet().open();
    private final RecordedTiming timing = new RecordedTiming();

    @AfterEach
    void close() {
        idem.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {ClientCases.CHARGE, ""})
    void wrongPasswordsWereSentFiveTimesAndLeftADoubt(String body) throws Exception {
        AtomicInteger asked = new AtomicInteger();
        IdemHttpClient client = client(() -> "wrong" + asked.incrementAndGet());
        try (Remote remote = new Remote(false, CHALLENGES, CHALLENGES)) {
            assertThatThrownBy(() -> send(client, remote, body))
                    .isInstanceOfSatisfying(
                            HttpRetryException.class,
                            e -> assertThat(e.responseCode()).isEqualTo(401))
                    .hasMessageContaining("Authenticator");
            assertThat(remote.seen).hasSize(2);
            assertThat(timing.slept).isEmpty();

            assertThat(send(client(() -> "right"), remote, body).statusCode()).isEqualTo(201);
            assertThat(remote.effects.get()).isEqualTo(1);
        }
    }

    /** A later request counts from the beginning again, and the client of the JDK remembers what was right. */
    @Test
    void aPasswordThatIsNoLongerRightLeftADoubt() throws Exception {
        AtomicInteger asked = new AtomicInteger();
        IdemHttpClient client = client(() -> "password" + asked.incrementAndGet());
        try (Remote remote = new Remote(false, CHALLENGES, Remote.ANSWERS, CHALLENGES, CHALLENGES)) {
            assertThat(send(client, remote, ClientCases.CHARGE).statusCode()).isEqualTo(201);
            assertThatThrownBy(() -> send(client.scope("another"), remote, ClientCases.CHARGE))
                    .isInstanceOf(HttpRetryException.class);
            assertThat(remote.seen).hasSize(4);
            assertThat(send(client.scope("another"), remote, ClientCases.CHARGE).statusCode())
                    .isEqualTo(201);
        }
    }

    /** The limit is right only as long as this is so. */
    @Test
    void theClientOfTheJdkAsksForTheLengthOnceForEachTryBeforeItSendsIt() throws Exception {
        StringBuffer asked = new StringBuffer();
        BodyPublisher body = new BodyPublisher() {
            @Override
            public long contentLength() {
                asked.append("length ");
                return 2;
            }

            @Override
            public void subscribe(Flow.Subscriber<? super ByteBuffer> subscriber) {
                asked.append("body ");
                BodyPublishers.ofString("{}").subscribe(subscriber);
            }
        };
        try (Remote remote = new Remote(false);
                Http2Remote upgrading = new Http2Remote(0, "")) {
            HttpClient http = HttpClient.newHttpClient();
            http.send(HttpRequest.newBuilder(remote.uri()).POST(body).build(), BodyHandlers.ofString());
            http.send(HttpRequest.newBuilder(upgrading.uri()).POST(body).build(), BodyHandlers.ofString());
        }
        assertThat(asked.toString().strip()).isEqualTo("length body length body");
    }

    @Test
    void anAuthenticatorWithoutAPasswordLeftADoubt() throws Exception {
        IdemHttpClient client = client(() -> null);
        try (Remote remote = new Remote(false, CHALLENGES)) {
            assertThatThrownBy(() -> send(client, remote, ClientCases.CHARGE)).isInstanceOf(IOException.class);

            assertThat(send(client, remote, ClientCases.CHARGE).statusCode()).isEqualTo(201);
            assertThat(remote.effects.get()).isEqualTo(1);
        }
    }

    @Test
    void theRightPasswordIsSentAfterTheChallenge() throws Exception {
        try (Remote remote = new Remote(false, CHALLENGES)) {
            assertThat(send(client(() -> "right"), remote, ClientCases.CHARGE).statusCode())
                    .isEqualTo(201);
            assertThat(remote.seen).hasSize(2);
            assertThat(remote.seen.get(1).headers()).containsKey("Authorization");
        }
    }

    private interface Password {
        @Nullable
        String get();
    }

    private IdemHttpClient client(Password password) {
        Authenticator authenticator = new Authenticator() {
            @Override
            protected @Nullable PasswordAuthentication getPasswordAuthentication() {
                String given = password.get();
                return given == null ? null : new PasswordAuthentication("ann", given.toCharArray());
            }
        };
        HttpClient http = HttpClient.newBuilder().authenticator(authenticator).build();
        return IdemHttpClient.of(idem, http)
                .retry(Retry.standard().timing(timing).random(() -> 0));
    }

    private static GuardedResponse<String> send(IdemHttpClient client, Remote remote, String body)
            throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(remote.uri())
                .POST(BodyPublishers.ofString(body))
                .build();
        return client.send(request, BodyHandlers.ofString(), "order-7");
    }
}
