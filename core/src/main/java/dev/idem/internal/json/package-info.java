/** Strict JSON, its canonical form by RFC 8785, and the listed encodings between JSON and Java values. */
@NullMarked
package dev.idem.internal.json;

import org.jspecify.annotations.NullMarked;
