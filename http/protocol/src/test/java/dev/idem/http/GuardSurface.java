package dev.idem.http;

import dev.idem.Idem;
import dev.idem.NotExecutedException;
import dev.idem.http.suite.HttpSurface;
import dev.idem.http.suite.Received;
import dev.idem.http.suite.Sent;
import dev.idem.http.suite.Work;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/** A server without a network: the guard, called directly. */
record GuardSurface(Idem idem, HttpGuard guard, Supplier<Work> handler) implements HttpSurface {
    static HttpSurface open(String ledger, HttpRules rules, Supplier<Work> handler) {
        Idem idem = Idem.builder().ledger(ledger).quiet().open();
        return new GuardSurface(idem, new HttpGuard(idem, rules), handler);
    }

    /** A request of the suite. */
    record Arrived(Sent sent, Body body) implements Request {
        interface Body {
            InputStream open() throws IOException;
        }

        Arrived(Sent sent) {
            this(sent, () -> new ByteArrayInputStream(sent.body()));
        }

        @Override
        public String method() {
            return sent.method();
        }

        @Override
        public String path() {
            return ReceivedRequest.decoded(sent.path());
        }

        @Override
        public String query() {
            return sent.query();
        }

        @Override
        public String route() {
            return ReceivedRequest.decoded(sent.route());
        }

        @Override
        public String principal() {
            return sent.caller();
        }

        @Override
        public List<String> headers(String name) {
            return sent.headers().stream()
                    .filter(header -> header.getKey().equalsIgnoreCase(name))
                    .map(Map.Entry::getValue)
                    .toList();
        }

        @Override
        public InputStream open() throws IOException {
            return body.open();
        }
    }

    @Override
    public Received send(Sent request) {
        Response[] live = {null};
        try {
            Reply reply = guard.handle(new Arrived(request), call -> work(live)).join();
            if (reply instanceof Reply.Send send) {
                return received(send.response());
            } else if (reply instanceof Reply.Streamed) {
                return received(live[0]);
            }
            return received(work(live).toCompletableFuture().join());
        } catch (CompletionException e) {
            return received(Response.of(500));
        }
    }

    private CompletionStage<Response> work(Response[] live) {
        Work work = handler.get();
        return switch (work.how()) {
            case ANSWERS, ANSWERS_HEADERS_LAST -> CompletableFuture.completedFuture(work.response());
            case STREAMS -> {
                live[0] = work.response();
                yield CompletableFuture.completedFuture(
                        Response.streamed(work.response().status()));
            }
            case THROWS -> CompletableFuture.failedFuture(new IOException("the connection was lost"));
            case THROWS_NOT_EXECUTED -> throw new NotExecutedException("the database is full");
        };
    }

    private static Received received(Response response) {
        return new Received(response.status(), response.headers(), response.body());
    }

    @Override
    public void close() {
        idem.close();
    }
}
