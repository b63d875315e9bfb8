/**
 * Webhooks. A {@link dev.idem.http.webhook.WebhookEndpoint} verifies the requests of a sender and handles each event once.
 * Its {@link dev.idem.http.webhook.Verifier} knows one {@link dev.idem.http.webhook.Sender} and its secrets, takes a
 * request and gives its events or a refusal, and records nothing.
 */
@NullMarked
package dev.idem.http.webhook;

import org.jspecify.annotations.NullMarked;
