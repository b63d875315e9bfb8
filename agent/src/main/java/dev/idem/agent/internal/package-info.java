/** What the packages of this module share and nobody else sees. */
@NullMarked
package dev.idem.agent.internal;

import org.jspecify.annotations.NullMarked;
