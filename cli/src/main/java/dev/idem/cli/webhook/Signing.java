package dev.idem.cli.webhook;

import dev.idem.cli.around.Surroundings;
import dev.idem.cli.syntax.Ages;
import dev.idem.cli.syntax.Arguments;
import dev.idem.cli.syntax.Durations;
import dev.idem.cli.syntax.Nearest;
import dev.idem.cli.syntax.Option;
import dev.idem.cli.syntax.UsageException;
import dev.idem.command.Answer;
import dev.idem.command.ExitCode;
import dev.idem.http.webhook.Sender;
import dev.idem.http.webhook.Signer;
import dev.idem.http.webhook.Verification;
import dev.idem.http.webhook.Verifier;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Signs the body of a webhook, and shows the headers or sends it to an endpoint. */
public final class Signing {
    /** The senders by name. A copy, so that a table does not load their classes. */
    public static final List<String> SENDERS = List.of(
            "stripe",
            "github",
            "gitlab",
            "slack",
            "shopify",
            "standard-webhooks",
            "svix",
            "sendgrid",
            "twilio",
            "square",
            "paddle",
            "cloudevents");

    private static final Option SECRET = Option.of(
            "--secret",
            "WHERE",
            "env:NAME or file:PATH, where the secret is; without it a test secret, which is shown");
    private static final Option AT = Option.of(
            "--at", "TIME", "the time of sending: 10m ago, 2026-11-15T09:30Z, or seconds since 1970; without it now");
    private static final Option ID = Option.of(
            "--id", "ID", "the event's id, for senders that have it in a header; without it made from the body");
    private static final Option TYPE =
            Option.of("--type", "TYPE", "the event's type, for senders that have it in a header; without it test");
    private static final Option URL =
            Option.of("--url", "URL", "the public URL of the endpoint, which twilio and square sign");

    /** The options for a signature. */
    static final List<Option> OPTIONS = List.of(SECRET, AT, ID, TYPE, URL);

    static final String ABOUT = """
            SENDER is one of
              %s,
              %s.
            FILE holds the body, and is sent byte by byte; - reads it from stdin.
            A secret is never an argument, because other users see those. For standard-webhooks and svix it is whsec_
            or, for Ed25519, whsk_ and the private key; for sendgrid base64 of the private key in PKCS#8.
            """.formatted(
                    String.join(", ", SENDERS.subList(0, 7)), String.join(", ", SENDERS.subList(7, SENDERS.size())));

    private static final int LARGEST_BODY = 64 * 1024 * 1024;
    private static final String ENV = "env:";
    private static final String FILE = "file:";

    private final Surroundings around;
    private final Arguments arguments;
    private final Sender sender;
    private final Instant time;
    private final @Nullable Endpoint endpoint;

    /**
     * Checks the line; throws a {@link UsageException} when a value makes no sense.
     *
     * @param sends whether the line names an endpoint
     */
    Signing(Surroundings around, Arguments arguments, boolean sends) {
        this.around = around;
        this.arguments = arguments;
        String name = arguments.operand();
        if (!SENDERS.contains(name)) {
            throw new UsageException("there is no sender '" + name + "'" + Nearest.hint(name, SENDERS)
                    + "; the senders are " + String.join(", ", SENDERS));
        }
        this.sender = Sender.named(name);
        refuse(AT, !sender.timestamped(), " signs no time");
        refuse(URL, !sender.signsUrl(), " does not sign the URL");
        this.time = time();
        this.endpoint = sends ? Endpoint.of(arguments) : null;
        if (endpoint == null && sender.signsUrl() && arguments.find(URL) == null) {
            throw new UsageException(sender.name() + " signs the public URL of the endpoint; give it with --url URL");
        }
    }

    private void refuse(Option option, boolean senseless, String why) {
        if (senseless && arguments.flag(option)) {
            throw new UsageException(sender.name() + why + "; leave out " + option.name());
        }
    }

    private Instant time() {
        Instant now = around.host().now().wall();
        String given = arguments.find(AT);
        if (given == null) {
            return now;
        } else if (given.matches("[0-9]{5,12}")) {
            return Instant.ofEpochSecond(Long.parseLong(given));
        } else if (given.matches("[0-9]{4}-.*")) {
            return Ages.moment(given.strip(), arguments.source(AT));
        }
        return now.minus(Durations.orZero(arguments, AT));
    }

    Answer run() throws IOException {
        byte[] body;
        String file = arguments.operands().get(1);
        try {
            body = read(file);
        } catch (NoSuchFileException e) {
            return Answer.no(ExitCode.NOT_FOUND, "NOT_FOUND", "there is no file '" + file + "'. Nothing was signed")
                    .fix("name the file that holds the body, or - for stdin");
        }
        Signer signer;
        Signer.Signed signed;
        try {
            signer = signer();
            signed = signer.sign(body);
        } catch (IllegalArgumentException e) {
            throw new UsageException(String.valueOf(e.getMessage()));
        }
        Answer answer = endpoint == null ? sign(signed) : endpoint.post(around, signed, body);
        tellSecret(answer, signer);
        tellEvents(answer, signer, signed, body);
        return answer;
    }

    private byte[] read(String file) throws IOException {
        try (InputStream in = file.equals("-") ? around.in() : Files.newInputStream(path(file))) {
            byte[] body = in.readNBytes(LARGEST_BODY + 1);
            if (body.length > LARGEST_BODY) {
                throw new UsageException("'" + file + "' has more than 64 MiB; no sender sends that much");
            }
            return body;
        }
    }

    private Path path(String file) {
        try {
            Path path = around.directory().resolve(file);
            if (Files.isDirectory(path)) {
                throw new UsageException("'" + file + "' is a folder; name the file that holds the body");
            }
            return path;
        } catch (InvalidPathException e) {
            throw new UsageException("'" + file + "' is no path");
        }
    }

    private Signer signer() throws IOException {
        String secret = secret();
        Signer signer = (secret == null ? Signer.of(sender) : Signer.of(sender, secret)).at(time);
        String id = arguments.find(ID);
        String type = arguments.find(TYPE);
        String url = arguments.find(URL);
        signer = id == null ? signer : signer.id(id);
        signer = type == null ? signer : signer.type(type);
        return url == null && endpoint != null ? signer.url(endpoint.url()) : url == null ? signer : signer.url(url);
    }

    private @Nullable String secret() throws IOException {
        String where = arguments.find(SECRET);
        if (where == null) {
            return null;
        } else if (where.startsWith(ENV)) {
            String value = around.env().getOrDefault(where.substring(ENV.length()), "");
            if (value.isEmpty()) {
                throw new UsageException("--secret " + where + ": the variable is not set");
            }
            return value;
        } else if (where.startsWith(FILE)) {
            try {
                // Editors end a file with a line break.
                return Files.readString(around.directory().resolve(where.substring(FILE.length())))
                        .stripTrailing();
            } catch (IOException | InvalidPathException e) {
                throw new UsageException("--secret " + where + ": the file can't be read as text");
            }
        }
        // The value may be the secret.
        throw new UsageException(
                "--secret takes env:NAME or file:PATH, and never the secret itself: other users of this "
                        + "machine see the arguments of a process");
    }

    private Answer sign(Signer.Signed signed) {
        StringBuilder text = new StringBuilder();
        signed.headers()
                .forEach((name, value) ->
                        text.append(name).append(": ").append(value).append('\n'));
        Answer answer = Answer.ok("noop")
                .with("sender", sender.name())
                .with("headers", new LinkedHashMap<>(signed.headers()))
                .text(text.toString());
        String url = signed.url().orElse(null);
        if (url != null) {
            answer.with("url", url);
        }
        if (url != null && !url.equals(arguments.find(URL))) {
            answer.line("the signed URL has the digest of the body; post to " + url);
        }
        return answer;
    }

    /** Shows the secret of tests and public keys. A secret of the user is not shown. */
    private void tellSecret(Answer answer, Signer signer) {
        String counterpart = signer.endpointSecret().orElse(null);
        boolean test = arguments.find(SECRET) == null;
        boolean isPublic = sender.equals(Sender.SENDGRID) || (counterpart != null && counterpart.startsWith("whpk_"));
        if (counterpart != null && (test || isPublic)) {
            answer.with(isPublic ? "public_key" : "test_secret", counterpart);
            // Where the endpoint has accepted it, it knows the secret.
            boolean known = endpoint != null && !endpoint.dry() && answer.exit() != ExitCode.GENERAL_ERROR.number();
            answer.lines()
                    .addAll(
                            known
                                    ? List.of()
                                    : List.of("the endpoint needs the " + (test ? "test " : "")
                                            + (isPublic ? "public key " : "secret ") + counterpart));
        }
    }

    /** Checks as the endpoint will, so that a body that no endpoint can read is noticed here. */
    private void tellEvents(Answer answer, Signer signer, Signer.Signed signed, byte[] body) {
        String[] secrets = signer.endpointSecret().stream().toArray(String[]::new);
        if (body.length == 0) {
            answer.warn("EMPTY_BODY", "the body is empty; no sender sends that");
        }
        if (secrets.length == 0 && !sender.signatureHeader().isEmpty()) {
            return;
        }
        Verification seen = Verifier.of(sender, secrets)
                .largestBody(LARGEST_BODY)
                .clock(InstantSource.fixed(time))
                .verify(signed.request());
        if (seen instanceof Verification.Accepted accepted) {
            List<Map<String, @Nullable Object>> events = new ArrayList<>();
            accepted.events().forEach(event -> {
                Map<String, @Nullable Object> fields = new LinkedHashMap<>();
                fields.put("id", event.id());
                fields.put("type", event.type().orElse(null));
                events.add(fields);
            });
            answer.with("events", events);
            if (accepted.events().stream().anyMatch(event -> Objects.equals(event.id(), event.digest()))) {
                answer.warn(
                        "NO_ID", "the body has no event id where " + sender.name() + " puts it; its digest is the id");
            }
        } else if (seen instanceof Verification.Refused refused) {
            answer.warn("UNREADABLE", "the signature is right, but an endpoint refuses this: " + refused.detail());
        }
    }
}
