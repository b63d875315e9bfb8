package dev.idem.cli.demo;

import dev.idem.Idem;
import dev.idem.Json;
import dev.idem.Policy;
import dev.idem.RemoteKeys;
import dev.idem.agent.retry.Retry;
import dev.idem.agent.session.Session;
import dev.idem.agent.shadow.Mode;
import dev.idem.agent.tool.Tool;
import dev.idem.agent.tool.ToolAnswer;
import dev.idem.command.SystemSignals;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The checkout agent, a separate process: it asks the model, calls the tool and sends the result to the model, until
 * the model wants no more calls.
 */
final class Agent {
    static final String BARE = "bare";

    private static final RemoteKeys PAYMENTS = new RemoteKeys("the payment service", Duration.ofHours(24));
    private static final int TRIES = 3;

    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final String url;

    private Agent(String url) {
        this.url = url;
    }

    /** Calls tools. The answer for the model has a status and a text. */
    private interface Caller {
        Map<String, String> call(String tool, Map<String, ?> arguments) throws IOException, InterruptedException;
    }

    /** Arguments: how to call tools, the world's address, and for a session the ledger's URL and the task's id. */
    public static void main(String[] args) throws Exception {
        // Ctrl-C goes to all processes of a terminal. The demo itself ends this one.
        SystemSignals.sendTo((name, number) -> {});
        endWithParent();
        Agent agent = new Agent(args[1]);
        if (args[0].equals(BARE)) {
            agent.work(agent::tryAgain);
        } else {
            agent.workInSession(args[2], args[3]);
        }
        System.exit(0);
    }

    /** Waits for the end of stdin, which comes when the parent process ends, even by SIGKILL. */
    private static void endWithParent() {
        Thread thread = new Thread(
                () -> {
                    try {
                        System.in.transferTo(OutputStream.nullOutputStream());
                    } catch (IOException e) {
                        // Counts as the end.
                    }
                    Runtime.getRuntime().halt(1);
                },
                "parent");
        thread.setDaemon(true);
        thread.start();
    }

    @SuppressWarnings("unchecked") // the names in a plain object are strings
    private void work(Caller caller) throws IOException, InterruptedException {
        List<Map<String, String>> results = new ArrayList<>();
        for (Map<?, ?> next = ask(results); next.get("tool") instanceof String tool; next = ask(results)) {
            Map<String, ?> arguments = (Map<String, ?>) Objects.requireNonNull(next.get("arguments"));
            results.add(caller.call(tool, arguments));
        }
    }

    /** Calls a tool the way most agents do: retries after every failure. */
    private Map<String, String> tryAgain(String tool, Map<String, ?> arguments)
            throws IOException, InterruptedException {
        for (int tried = 1; ; tried++) {
            try {
                return told(tool, "ran", post(tool, arguments, null));
            } catch (IOException e) {
                if (tried == TRIES) {
                    throw e;
                }
            }
        }
    }

    /** Calls the same tools through a session of Idem. */
    private void workInSession(String ledger, String task) throws IOException, InterruptedException {
        Tool charge = Tool.named("charge")
                .policy(Policy.write().passesKeyTo(PAYMENTS))
                .run((call, in) -> post("charge", in.fields(), call.key()));
        Tool email = Tool.named("send_email")
                .identity("to", "subject")
                .run((call, in) -> post("send_email", in.fields(), null));
        Tool order = Tool.named("create_order").run((call, in) -> post("create_order", in.fields(), null));
        try (Idem idem = Idem.open(ledger);
                Session session = Session.builder(idem)
                        .id(task)
                        .tools(charge, email, order)
                        .retry(Retry.standard().baseDelay(Duration.ofMillis(50)))
                        .mode(Mode.LIVE)
                        .open()) {
            work((tool, arguments) -> {
                ToolAnswer answer = session.call(tool, arguments);
                return told(tool, answer.status().name().toLowerCase(Locale.ROOT), answer.text());
            });
        }
    }

    private static Map<String, String> told(String tool, String status, String text) {
        return Map.of("tool", tool, "status", status, "text", text);
    }

    /** Sends a request to a service, with {@code key} if there is one. */
    private String post(String name, Object body, @Nullable String key) throws IOException, InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(url + "/" + name))
                .POST(HttpRequest.BodyPublishers.ofString(Json.write(body)));
        if (key != null) {
            request.header("Idempotency-Key", key);
        }
        HttpResponse<String> response = http.send(request.build(), HttpResponse.BodyHandlers.ofString());
        if (response.statusCode() != 200) {
            throw new IOException(name + " answered " + response.statusCode());
        }
        return response.body();
    }

    /** Sends the results so far to the model and returns its next call. */
    private Map<?, ?> ask(Object results) throws IOException, InterruptedException {
        return (Map<?, ?>) Objects.requireNonNull(Json.parse(post("model", Map.of("results", results), null)));
    }
}
