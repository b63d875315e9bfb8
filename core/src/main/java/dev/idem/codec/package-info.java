/** How results become bytes and come back. */
@NullMarked
package dev.idem.codec;

import org.jspecify.annotations.NullMarked;
