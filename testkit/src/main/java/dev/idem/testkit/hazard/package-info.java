/** The promises of the engine, with one test for each known hazard. */
@NullMarked
package dev.idem.testkit.hazard;

import org.jspecify.annotations.NullMarked;
