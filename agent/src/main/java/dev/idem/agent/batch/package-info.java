/**
 * Batches: many items, each once. A run that was killed starts again, skips what is complete and tries again what has
 * failed; what is in doubt is reported.
 */
@NullMarked
package dev.idem.agent.batch;

import org.jspecify.annotations.NullMarked;
