/** How results become bytes and come back. */
@NullMarked
package dev.idem.internal.codec;

import org.jspecify.annotations.NullMarked;
