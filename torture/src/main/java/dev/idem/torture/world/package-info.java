/** The outside world, where effects happen and are counted, and where everything said is written down. */
@NullMarked
package dev.idem.torture.world;

import org.jspecify.annotations.NullMarked;
