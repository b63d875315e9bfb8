package dev.idem.conformance.reference;

import dev.idem.Json;
import dev.idem.conformance.reference.ReferenceClient.Call;
import dev.idem.conformance.reference.ReferenceClient.DefiniteError;
import dev.idem.conformance.reference.ReferenceClient.Ended;
import dev.idem.conformance.reference.ReferenceClient.Verdict;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The driver around the reference client, as "Conformance" in docs/protocol.md describes it. */
public final class ReferenceDriver {
    private static final List<String> OF_THE_CLAIM =
            List.of("scope", "operation", "key", "identity", "content", "policy", "arguments");

    private final Map<String, String> environment;
    private final OutputStream out;
    private final ReferenceClient client;

    private ReferenceDriver(Map<String, String> environment, OutputStream out, Set<Mistake> mistakes) {
        this.environment = environment;
        this.out = out;
        List<String> command = ((List<?>) Json.parse(environment.get("IDEM_SERVE")))
                .stream().map(String::valueOf).toList();
        this.client = new ReferenceClient(
                command,
                environment.get("IDEM_LEDGER"),
                Long.parseLong(environment.get("IDEM_RESEND_MS")),
                Long.parseLong(environment.get("IDEM_GIVE_UP_MS")),
                Long.parseLong(environment.get("IDEM_SETTLE_MS")),
                mistakes);
    }

    /** The arguments are mistakes. */
    public static void main(String[] arguments) throws IOException {
        Set<Mistake> mistakes = EnumSet.noneOf(Mistake.class);
        for (String each : arguments) {
            mistakes.add(Mistake.valueOf(each));
        }
        run(System.getenv(), System.in, System.out, mistakes);
    }

    /** Does the jobs of a stream until it ends. */
    public static void run(Map<String, String> environment, InputStream in, OutputStream out, Set<Mistake> mistakes)
            throws IOException {
        ReferenceDriver driver = new ReferenceDriver(environment, out, mistakes);
        try (var lines = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                Map<?, ?> job = (Map<?, ?>) Json.parse(line);
                Thread thread = new Thread(() -> driver.answer(job), "reference-job");
                thread.setDaemon(true);
                thread.start();
            }
        } finally {
            driver.client.close();
        }
    }

    private void answer(Map<?, ?> job) {
        Ended ended = client.call(call(job));
        Map<String, Object> answer = new LinkedHashMap<>();
        answer.put("job", job.get("job"));
        answer.put("outcome", ended.outcome());
        answer.put("value", ended.value());
        try {
            synchronized (out) {
                out.write((Json.writePlain(answer) + "\n").getBytes(StandardCharsets.UTF_8));
                out.flush();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Call call(Map<?, ?> job) {
        Map<String, Object> fields = new LinkedHashMap<>();
        OF_THE_CLAIM.forEach(each -> fields.put(each, job.get(each)));
        Map<?, ?> action = (Map<?, ?>) job.get("action");
        Verdict verdict = null;
        if (job.get("probe") instanceof Map<?, ?> probe) {
            String as = Map.of("happened", "complete", "not_executed", "not_executed", "unknown", "in_doubt")
                    .get(String.valueOf(probe.get("says")));
            verdict = new Verdict(as, probe.get("value"));
        }
        return new Call(fields, (Long) job.get("wait_ms"), key -> act(action, key), verdict);
    }

    private Object act(Map<?, ?> action, String key) throws Exception {
        String line = action.get("name") + " " + key + "\n";
        Path effects = Path.of(environment.get("IDEM_EFFECTS"));
        Files.writeString(effects, line, StandardOpenOption.APPEND);
        if (action.get("until") != null) {
            Path gate = Path.of(String.valueOf(action.get("until")));
            while (!Files.exists(gate)) {
                if (!Files.exists(effects)) {
                    throw new IOException("the scenario is over");
                }
                Thread.sleep(10);
            }
        }
        return switch (String.valueOf(action.get("ends"))) {
            case "definite_error" -> throw new DefiniteError();
            case "other_error" -> throw new IOException("the connection was reset");
            default -> action.get("value");
        };
    }
}
