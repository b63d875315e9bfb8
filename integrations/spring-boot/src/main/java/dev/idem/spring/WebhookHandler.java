package dev.idem.spring;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Handles the webhooks of a sender, each event once. The properties {@code idem.webhooks.<name>} describe the sender.
 *
 * <pre>{@code
 * @WebhookHandler("stripe")
 * void paid(Invoice invoice) {
 *     books.enter(invoice);
 * }
 * }</pre>
 *
 * <p>The method takes the event as {@link dev.idem.http.webhook.WebhookEvent}, as {@code String} or {@code byte[]}, or as
 * a type that the application reads from JSON, and if it likes the {@link dev.idem.Call}. It returns nothing, or the
 * {@link dev.idem.http.webhook.WebhookAnswer}. If it throws, the event is handled again, so each of its steps should be
 * an operation of its own.
 */
@Documented
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
public @interface WebhookHandler {
    /** The name of the webhook in the properties, for instance {@code stripe}. */
    String value();
}
