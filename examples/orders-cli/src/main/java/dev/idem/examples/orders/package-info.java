/** A small program built with the command-line kit. Not one of its commands knows of keys, retries or envelopes. */
@NullMarked
package dev.idem.examples.orders;

import org.jspecify.annotations.NullMarked;
