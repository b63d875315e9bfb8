/** A server under abuse: one attack after the other, beside a client that must not notice. */
@NullMarked
package dev.idem.torture.siege;

import org.jspecify.annotations.NullMarked;
