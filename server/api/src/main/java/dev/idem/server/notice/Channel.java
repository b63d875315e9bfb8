package dev.idem.server.notice;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;

/** A receiver of notices. What it shows of itself has no secret. */
public abstract class Channel {
    private final String id;
    private final String name;

    Channel(String kind, String address, String name) {
        this.id = digest(kind + "\0" + address);
        this.name = name;
    }

    /**
     * A receiver of signed requests, as in Standard Webhooks. A message is repeated until it has arrived.
     *
     * @param url {@code https:}, or {@code http:} on this host
     * @param secret {@code whsec_…}, or {@code whsk_…} for Ed25519
     * @throws IllegalArgumentException if one of them has another form; the message shows neither
     */
    public static Channel webhook(String url, String secret) {
        return new WebhookChannel(HttpSender.requireUrl("webhook", url), secret);
    }

    /**
     * An incoming webhook of Slack, or of a service that takes the same form. A message is sent at most once.
     *
     * @param url which is a secret
     * @throws IllegalArgumentException if it has another form; the message does not show it
     */
    public static Channel slack(String url) {
        return new SlackChannel(HttpSender.requireUrl("Slack", url));
    }

    /**
     * A program that is run for each message. It is run at most once.
     *
     * @param line the program and its arguments, which no shell reads
     */
    public static Channel command(List<String> line) {
        return new CommandChannel(line);
    }

    /** Tells this receiver from others in the ledger. */
    final String id() {
        return id;
    }

    /** Whether it drops repeats of a message by their id. */
    abstract boolean dropsRepeats();

    abstract Sent send(Message message);

    /** The host of an address, for logs. */
    static String host(URI url) {
        return url.getHost();
    }

    private static String digest(String text) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return Base64.getUrlEncoder().encodeToString(Arrays.copyOf(digest, 12));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The receiver, without secrets. */
    @Override
    public final String toString() {
        return name;
    }
}
