/** Checks of tools before a deploy: problems of repeated calls, and how to fix them. */
@NullMarked
package dev.idem.agent.check;

import org.jspecify.annotations.NullMarked;
