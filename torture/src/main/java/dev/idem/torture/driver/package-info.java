/** Starts the workers, breaks things around them, and cleans up. */
@NullMarked
package dev.idem.torture.driver;

import org.jspecify.annotations.NullMarked;
