/** Code that the packages of this module share. It is not exported. */
@NullMarked
package dev.idem.agent.internal;

import org.jspecify.annotations.NullMarked;
