/**
 * Check-then-act as one call: look for a thing, and create it only if it is absent. Two agents can't both find nothing
 * and both create it.
 */
@NullMarked
package dev.idem.agent.ensure;

import org.jspecify.annotations.NullMarked;
