/**
 * HTTP clients whose unsafe requests happen once: {@link dev.idem.http.client.IdemHttpClient} around the client of the
 * JDK, and {@link dev.idem.http.client.IdemRequestInterceptor} for Spring.
 */
@NullMarked
package dev.idem.http.client;

import org.jspecify.annotations.NullMarked;
