/** Idempotency keys for servlets: {@link dev.idem.http.servlet.IdemFilter}. */
@NullMarked
package dev.idem.http.servlet;

import org.jspecify.annotations.NullMarked;
