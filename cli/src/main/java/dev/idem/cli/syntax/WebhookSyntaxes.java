package dev.idem.cli.syntax;

import dev.idem.command.Danger;
import java.util.List;

/** The tables of the commands that sign and send webhooks. */
public final class WebhookSyntaxes {
    /** The first word of these commands. */
    public static final String GROUP = "webhook";

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

    public static final Option SECRET = Option.of(
            "--secret",
            "WHERE",
            "env:NAME or file:PATH, where the secret is; without it a test secret, which is shown");
    public static final Option AT = Option.of(
            "--at", "TIME", "the time of sending: 10m ago, 2026-11-15T09:30Z, or seconds since 1970; without it now");
    public static final Option ID = Option.of(
            "--id", "ID", "the event's id, for senders that have it in a header; without it made from the body");
    public static final Option TYPE =
            Option.of("--type", "TYPE", "the event's type, for senders that have it in a header; without it test");
    public static final Option URL =
            Option.of("--url", "URL", "the public URL of the endpoint, which twilio and square sign");

    public static final Option TO =
            Option.of("--to", "URL", "the endpoint, on this machine").asNeeded();
    public static final Option ALLOW_REMOTE =
            Option.flag("--allow-remote", "sends to another machine too, where a signed event has real effects");
    public static final Option TIMES = Option.of("--times", "N", "1", "sends the same delivery N times, 1-1000");
    public static final Option PARALLEL = Option.flag("--parallel", "sends these at once, not one after the other");
    public static final Option ANSWER_WITHIN =
            Option.of("--timeout", "TIME", "30s", "how long to wait for each answer");

    private static final String ABOUT = """
            SENDER is one of
              %s,
              %s.
            FILE holds the body, and is sent byte by byte; - reads it from stdin.
            A secret is never an argument, because other users see those. For standard-webhooks and svix it is whsec_
            or, for Ed25519, whsk_ and the private key; for sendgrid base64 of the private key in PKCS#8.
            """.formatted(
                    String.join(", ", SENDERS.subList(0, 7)), String.join(", ", SENDERS.subList(7, SENDERS.size())));

    public static final Syntax SIGN = Syntax.of(
                    GROUP + " sign", "prints the headers that a sender of webhooks would send with this body")
            .takes("SENDER", "FILE")
            .natural()
            .has(SECRET, AT, ID, TYPE, URL, Syntaxes.JSON, Syntaxes.JSON_SHAPE)
            .ends(5)
            .explained(ABOUT + """
            curl reads the lines: idem webhook sign github push.json | curl -H @- --data-binary @push.json URL
            """);

    public static final Syntax SEND = Syntax.of(
                    GROUP + " send", "posts this body to an endpoint, signed as a sender of webhooks would sign it")
            .takes("SENDER", "FILE")
            .is(Danger.MUTATING)
            .has(TO, ALLOW_REMOTE, TIMES, PARALLEL, ANSWER_WITHIN, SECRET, AT, ID, TYPE, URL)
            .has(Syntaxes.ONCE)
            .has(Syntaxes.OUTPUT)
            .has(Syntaxes.LEDGER)
            .ends(3, 4, 5, 6, 10, 12)
            .explained(ABOUT + """
            The same FILE is the same event, unless it has another id. Redirects are not followed.
            Exit 0: all answers were 2xx. 1: none was. 3: some were, or the endpoint failed with 5xx or closed the
            connection. 10: no answer in time. 12: nothing listens there.
            """);

    static final List<Syntax> ALL = List.of(SIGN, SEND);

    private WebhookSyntaxes() {}
}
