/** Idem for the Anthropic Java client: the tool loop, with every tool guarded. */
@NullMarked
package dev.idem.anthropic;

import org.jspecify.annotations.NullMarked;
