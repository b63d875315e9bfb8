/** Idem for the OpenAI Java client: the tool loop, with every tool guarded. */
@NullMarked
package dev.idem.openai;

import org.jspecify.annotations.NullMarked;
