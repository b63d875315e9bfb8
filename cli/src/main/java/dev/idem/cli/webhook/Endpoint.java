package dev.idem.cli.webhook;

import dev.idem.cli.around.Surroundings;
import dev.idem.cli.syntax.Arguments;
import dev.idem.cli.syntax.Durations;
import dev.idem.cli.syntax.Options;
import dev.idem.cli.syntax.UsageException;
import dev.idem.command.Answer;
import dev.idem.command.ExitCode;
import dev.idem.command.Printable;
import dev.idem.http.webhook.Signer;
import java.net.InetAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.UnknownHostException;
import java.net.http.HttpRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The endpoint of webhooks: its place, the number of deliveries, and the meaning of its answers.
 *
 * @param local whether it is on this machine
 */
record Endpoint(String url, boolean local, int times, boolean parallel, Duration timeout, boolean dry) {
    private static final int SHOWN = 200;

    /**
     * The endpoint of a line. Another machine needs {@code --allow-remote}: there a signed event is real.
     *
     * @throws UsageException if the URL can't be posted to, or is not on this machine
     */
    static Endpoint of(Arguments arguments) {
        URI uri = uri(arguments.value(SendCommand.TO));
        boolean local = isLocal(uri.getHost());
        if (!local && !arguments.flag(SendCommand.ALLOW_REMOTE)) {
            throw new UsageException("'" + uri.getHost()
                    + "' is not this machine, and there a signed event is a real one: it may book, mail or refund. Give"
                    + " a URL of localhost or 127.0.0.1, or add --allow-remote if you mean it");
        }
        return new Endpoint(
                uri.toString(),
                local,
                arguments.number(SendCommand.TIMES, 1, 1000),
                arguments.flag(SendCommand.PARALLEL),
                Durations.positive(arguments, SendCommand.ANSWER_WITHIN),
                arguments.flag(Options.DRY_RUN));
    }

    private static URI uri(String given) {
        try {
            URI uri = new URI(given);
            String scheme = String.valueOf(uri.getScheme()).toLowerCase(Locale.ROOT);
            if (uri.getRawUserInfo() != null) {
                // It may be a password.
                throw new UsageException("--to: leave out the user before @; webhooks are signed and have no user");
            } else if (List.of("http", "https").contains(scheme)
                    && uri.getHost() != null
                    && uri.getRawFragment() == null) {
                return uri;
            }
        } catch (URISyntaxException e) {
            // Refused below.
        }
        throw new UsageException("--to: '" + given + "' is not the URL of an endpoint; write it like "
                + "http://localhost:8080/webhooks/stripe");
    }

    private static boolean isLocal(String host) {
        try {
            return Stream.of(InetAddress.getAllByName(host)).allMatch(InetAddress::isLoopbackAddress);
        } catch (UnknownHostException e) {
            return false;
        }
    }

    Answer post(Surroundings around, Signer.Signed signed, byte[] body) {
        String address = withDigest(signed);
        Answer about = Answer.ok("would_create").with("url", address).with("times", times);
        if (dry) {
            StringBuilder text = new StringBuilder("would post " + body.length + " bytes to " + address + "\n");
            signed.headers()
                    .forEach((name, value) -> text.append("  ").append(name).append('\n'));
            return about.text(text.toString());
        }
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(address))
                .timeout(timeout)
                .POST(HttpRequest.BodyPublishers.ofByteArray(body));
        signed.headers().forEach(request::header);
        List<Delivered> all = new Post(request.build(), timeout, local).times(times, parallel, around.signals());
        Answer answer = answer(all, all.stream().map(Delivered::kind).distinct().toList(), address);
        return answer.with("effect", all.stream().allMatch(Delivered::isNothing) ? "noop" : "created")
                .with("url", address)
                .with("answers", fields(all))
                .text(text(all));
    }

    /** Twilio has the digest of a JSON body in the query. */
    private String withDigest(Signer.Signed signed) {
        String digest = signed.url().orElse("").replaceFirst("^.*[?&](?=bodySHA256=)", "");
        return !digest.startsWith("bodySHA256=") || url.contains("bodySHA256=")
                ? url
                : url + (url.contains("?") ? "&" : "?") + digest;
    }

    private Answer answer(List<Delivered> all, List<Delivered.Kind> kinds, String address) {
        Delivered worst = all.stream()
                .filter(each -> each.kind() != Delivered.Kind.ACCEPTED)
                .findFirst()
                .orElse(null);
        if (worst == null) {
            return Answer.ok("created");
        } else if (kinds.contains(Delivered.Kind.TIMED_OUT)) {
            return Answer.no(
                            ExitCode.TIMEOUT,
                            "TIMEOUT",
                            "no answer within " + Durations.words(timeout)
                                    + "; the endpoint may have handled the event. A sender would send it again")
                    .fix("look at the log of the endpoint, or wait longer with --timeout");
        } else if (kinds.equals(List.of(Delivered.Kind.UNREACHABLE))) {
            return Answer.no(
                    ExitCode.UNAVAILABLE,
                    "UNREACHABLE",
                    "nothing listens at " + address + " (" + worst.text() + "); start the endpoint or check the "
                            + "port. Nothing was sent");
        }
        boolean mixed = kinds.size() > 1;
        return switch (worst.kind()) {
            case REFUSED ->
                Answer.no(
                                mixed ? ExitCode.PARTIAL_FAILURE : ExitCode.GENERAL_ERROR,
                                "REFUSED",
                                "the endpoint refused it with " + worst.status())
                        .fix(fix(worst.status()));
            case FAILED ->
                Answer.no(ExitCode.PARTIAL_FAILURE, "FAILED", "the endpoint failed with " + worst.status())
                        .fix("look at the log of the endpoint; a sender would send the event again");
            default ->
                Answer.no(
                                ExitCode.PARTIAL_FAILURE,
                                "CLOSED",
                                "the endpoint closed the connection without an answer: " + worst.text())
                        .fix("look at the log of the endpoint; a sender would send the event again");
        };
    }

    private static String fix(int status) {
        return switch (status) {
            case 401, 403 -> "give the endpoint the secret of this call, or sign with its own: --secret env:NAME";
            case 404, 405 -> "check the path in --to";
            default -> "look at the answer, and at the log of the endpoint";
        };
    }

    private static List<Map<String, @Nullable Object>> fields(List<Delivered> all) {
        List<Map<String, @Nullable Object>> fields = new ArrayList<>();
        counted(all).forEach((each, count) -> {
            Map<String, @Nullable Object> answer = new LinkedHashMap<>();
            answer.put("count", count);
            answer.put("status", each.status() == 0 ? null : each.status());
            answer.put(each.status() == 0 ? "reason" : "body", each.text());
            fields.add(answer);
        });
        return fields;
    }

    private static Map<Delivered, Integer> counted(List<Delivered> all) {
        Map<Delivered, Integer> counts = new LinkedHashMap<>();
        all.forEach(each -> counts.merge(each, 1, Integer::sum));
        return counts;
    }

    private String text(List<Delivered> all) {
        StringBuilder text = new StringBuilder();
        counted(all).forEach((each, count) -> {
            if (each.status() != 0) {
                String body = Printable.line(each.text().strip());
                String shown = body.length() > SHOWN ? body.substring(0, SHOWN) + "…" : body;
                text.append(times == 1 ? "" : count + " × ")
                        .append(each.status())
                        .append(shown.isEmpty() ? "" : "  " + shown)
                        .append('\n');
            }
        });
        return text.toString();
    }
}
