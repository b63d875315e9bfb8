/** Checks of tools before a deploy: what would go wrong when they are called twice, and how to fix it. */
@NullMarked
package dev.idem.agent.check;

import org.jspecify.annotations.NullMarked;
