/**
 * The rules of idempotency keys over HTTP. {@link dev.idem.http.HttpGuard} takes a request and a handler and says what to
 * answer; an adapter brings it to a server.
 */
@NullMarked
package dev.idem.http;

import org.jspecify.annotations.NullMarked;
