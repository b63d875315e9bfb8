/** Carries the methods of {@code idem serve} over HTTP: {@code POST /v1/<method>} with a JSON object. */
@NullMarked
package dev.idem.server.http;

import org.jspecify.annotations.NullMarked;
