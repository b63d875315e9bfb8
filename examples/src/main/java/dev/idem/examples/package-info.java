/** Small programs that the tests run. */
@NullMarked
package dev.idem.examples;

import org.jspecify.annotations.NullMarked;
