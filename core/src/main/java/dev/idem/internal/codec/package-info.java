/** Encodes results as bytes and decodes them. */
@NullMarked
package dev.idem.internal.codec;

import org.jspecify.annotations.NullMarked;
