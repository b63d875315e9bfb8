/** Idem in a Spring Boot application: an {@link dev.idem.Idem} bean, and a filter for requests with an idempotency key. */
@NullMarked
package dev.idem.spring;

import org.jspecify.annotations.NullMarked;
