/** A small program built with the command-line kit. Its commands know nothing of keys, retries or envelopes. */
@NullMarked
package dev.idem.examples.orders;

import org.jspecify.annotations.NullMarked;
