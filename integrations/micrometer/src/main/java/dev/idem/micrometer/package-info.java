/** Idem for Micrometer: a meter for every event of the engine. */
@NullMarked
package dev.idem.micrometer;

import org.jspecify.annotations.NullMarked;
