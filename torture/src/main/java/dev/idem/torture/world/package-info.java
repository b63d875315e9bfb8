/** The outside world, which performs, counts and logs effects. */
@NullMarked
package dev.idem.torture.world;

import org.jspecify.annotations.NullMarked;
