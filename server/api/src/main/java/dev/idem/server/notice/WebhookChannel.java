package dev.idem.server.notice;

import dev.idem.http.webhook.Sender;
import dev.idem.http.webhook.Signer;
import java.net.URI;

/** Posts a message signed as Standard Webhooks say. Receivers drop repeats by the id. */
final class WebhookChannel extends Channel {
    private final HttpSender http;
    private final Signer signer;

    WebhookChannel(URI url, String secret) {
        super("webhook", url.toString(), "the webhook at " + host(url));
        this.http = new HttpSender(url);
        this.signer = Signer.of(Sender.STANDARD_WEBHOOKS, secret);
    }

    @Override
    boolean dropsRepeats() {
        return true;
    }

    @Override
    Sent send(Message message) {
        byte[] body = message.json();
        return http.post(signer.id(message.id()).sign(body).headers(), body);
    }
}
