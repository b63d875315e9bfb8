/**
 * Signatures and event ids of webhooks. A {@link dev.idem.http.webhook.Verifier} knows one {@link
 * dev.idem.http.webhook.Sender} and its secrets, takes a request and gives its events or a refusal. It records nothing.
 */
@NullMarked
package dev.idem.http.webhook;

import org.jspecify.annotations.NullMarked;
