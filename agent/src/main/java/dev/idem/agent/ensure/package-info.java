/**
 * Check-then-act as one call: look whether a thing is there, and make it only if it is not, so that two agents can't both
 * find nothing and both make it.
 */
@NullMarked
package dev.idem.agent.ensure;

import org.jspecify.annotations.NullMarked;
